"""Options that only one command has, under a heading of their own in its help."""

import click

from rouge_cli.cli.arguments import GroupedCommand

__all__ = ["OwnOption", "OwnOptionsCommand"]


class OwnOption(click.Option):
    """An option of one command alone; its command shows it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return nothing, so that it is not shown among the options of score."""
        return None

    def own_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the option and what it is for."""
        return super().get_help_record(ctx) or ("", "")


class OwnOptionsCommand(GroupedCommand):
    """A command whose own options come first in the help, under its name."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        own = [one for one in self.params if isinstance(one, OwnOption)]
        with formatter.section((self.name or "").capitalize()):
            formatter.write_dl([option.own_help_record(ctx) for option in own])
        super().format_options(ctx, formatter)

"""JUnit XML, which Jenkins and CI systems show as the tests of a job."""

from collections.abc import Iterator
from html import escape

from rouge_cli.escapes import IN_XML, escape_unprintable
from rouge_cli.reports import Screen, View

SUITE = "rouge-cli"


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield a suite with a case for each requirement, and for its EVALs if requested."""
    # Readers may show only one of several cases with the same name.
    cases = tuple(
        dict.fromkeys(case for check in view.outcomes() for case in (check, *check.evals))
    )
    n_failed = sum(bool(case.failure) for case in cases)
    counts = f'name="{SUITE}" tests="{len(cases)}" failures="{n_failed}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f'<testsuite {counts} skipped="0">',
        "<properties>",
        *(
            f'<property name="signature" value="{_text(signature)}"/>'
            for signature in view.document().signatures
        ),
        "</properties>",
    ]
    for case in cases:
        named = f'classname="{SUITE}" name="{_text(case.name)}"'
        if not case.failure:
            lines.append(f"<testcase {named}/>")
            continue
        sentence = _text(case.failure)
        # Jenkins shows the attribute, other readers the text.
        lines += [
            f"<testcase {named}>",
            f'<failure message="{sentence}">{sentence}</failure>',
            "</testcase>",
        ]
    for line in (*lines, "</testsuite>", "</testsuites>"):
        yield f"{screen.log.escape(line, IN_XML)}\n"


def _text(text: str) -> str:
    """Escape for XML; control characters, which XML excludes, become escapes too."""
    return escape(escape_unprintable(text))

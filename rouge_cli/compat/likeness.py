"""Whose numbers are asked for: ``like="1.5.5"`` or ``like="google"``."""

from typing import Final

__all__ = ["GOOGLE", "ORIGINAL", "check_like"]

ORIGINAL: Final = "1.5.5"
GOOGLE: Final = "google"


def check_like(like: object) -> None:
    """Raise ValueError unless `like` is one of the two."""
    if like not in (ORIGINAL, GOOGLE):
        raise ValueError(f"like: found {like!r}, expected {ORIGINAL!r} or {GOOGLE!r}")

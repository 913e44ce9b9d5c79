"""The environments of the frameworks are kept as those of other clients are."""

from tests.clients.conftest import environments

__all__ = ["environments"]

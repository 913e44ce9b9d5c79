"""How the generated tests run: the same examples every time.

``HYPOTHESIS_PROFILE=search`` looks for new ones, 2,500 of each; ``first`` stops at the first
example that fails and does not look for a simpler one. ``make test`` makes a tenth of the examples,
with ``quick``; ``make mutated`` makes them all.
"""

import os

from hypothesis import HealthCheck, Phase, settings

from tests.cli.conftest import run

__all__ = ["run"]

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "steady",
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "search",
    max_examples=2500,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "first", settings.get_profile("steady"), phases=(Phase.explicit, Phase.generate)
)
settings.register_profile("quick", settings.get_profile("steady"), max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

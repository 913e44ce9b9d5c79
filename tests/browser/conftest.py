"""Pages in a real browser: Chromium without a screen, without a network.

Needs Debian's packages chromium and chromium-driver, or others of the same names on PATH, and
selenium; ``make browser`` installs the latter. Without them the tests are skipped.
"""

import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pages import Browser, start_browser
from tests.cli.running import Run, runner

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if find_spec("selenium") is None:
        pytest.skip("needs selenium: make browser installs it")
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which(DRIVER)
    if binary is None or driver is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    started = start_browser(binary, driver, tmp_path_factory.mktemp("profile"))
    yield started
    started.quit()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Browser]:
    """Provide the browser as a new page finds it; nothing may be said on its console."""
    browser = Browser(chromium)
    browser.reset()
    yield browser
    assert browser.console() == []


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run ``rouge-cli``."""
    return runner(monkeypatch, capsysbinary)


@pytest.fixture
def make_page(run: Run, tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a page with a command line, and returns its address."""

    def make(*arguments: str, cwd: Path) -> str:
        path = tmp_path / "page.html"
        finished = run(*arguments, "--report", "html", "-o", str(path), cwd=cwd)
        assert finished.code == 0, finished.err
        return path.as_uri()

    return make

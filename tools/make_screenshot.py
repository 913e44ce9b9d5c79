"""Make the pictures that the README and the guide show: report.png and protocols.svg.

Needs Chromium and what ``make browser`` installs. The first is the beginning of the page of the
sample and its list of EVALs, with what is between them hidden; the second a figure of the sample.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.browser.pages import Browser, start_browser

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "_static" / "report.png"
SIZE = (1280, 1500)
COMMAND = ["-n", "2", "-m", "-a", "config.xml", "--report", "html", "-o"]
PROTOCOLS = ["protocols", "--compare", "records.jsonl", "--plot"]
HIDDEN = "#differences, #distributions, #wins, #origin, .skip, .kicker, .warnings"


def main() -> None:
    """Write the page, open it, and take the picture."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        sys.exit("Chromium and its driver are not on PATH.")
    _run(*PROTOCOLS, str(TARGET.with_name("protocols.svg")))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        _run(*COMMAND, str(page))
        browser = Browser(start_browser(binary, driver, Path(folder) / "profile"))
        try:
            browser.reset()
            browser.screen(SIZE)
            browser.open(f"{page.as_uri()}#eval=1")
            browser.wait("document.querySelector('#eval mark') !== null")
            browser.run(
                "for (const one of document.querySelectorAll(arguments[0])) one.hidden = true;"
                "document.activeElement.blur()",
                HIDDEN,
            )
            browser.run("document.querySelectorAll('.pair')[1].remove()")
            browser.picture(TARGET)
        finally:
            browser.driver.quit()
    _reduce(TARGET)
    sys.stdout.write(f"Written: {TARGET}, {TARGET.stat().st_size} bytes\n")


def _run(*arguments: str) -> None:
    """Run the program on the sample."""
    command = [sys.executable, "-m", "rouge_cli", *arguments]
    sample, environment = ROOT / "fixtures" / "sample", {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=sample, check=True, env=environment, stdout=subprocess.DEVNULL)


def _reduce(path: Path) -> None:
    """Make a picture smaller: 64 colours are enough for type on a white ground."""
    from PIL import Image

    with Image.open(path) as image:
        reduced = image.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


if __name__ == "__main__":
    main()

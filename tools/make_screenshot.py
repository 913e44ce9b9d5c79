"""Make the pictures of the README and the guide: report.png and protocols.svg.

Needs Chromium and what ``make browser`` installs. The first has two tabs of the page of the
sample, the result and an EVAL; the second is a figure of the sample.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.browser.pages import Browser, start_browser

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "_static" / "report.png"
SIZE = (1280, 920)
COMMAND = ["-n", "2", "-m", "-a", "config.xml", "--report", "html", "-o"]
PROTOCOLS = ["protocols", "--compare", "records.jsonl", "--plot"]
HIDDEN = ".skip, .kicker, .warnings"
TABS = ("result", "eval=1")


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
        pictures = [Path(folder) / f"{tab}.png" for tab in TABS]
        try:
            browser.reset()
            browser.screen(SIZE)
            for tab, picture in zip(TABS, pictures, strict=True):
                browser.open(f"{page.as_uri()}#{tab}")
                browser.wait("document.querySelector('#eval mark') !== null")
                browser.run(
                    "for (const one of document.querySelectorAll(arguments[0])) one.hidden = true;"
                    "document.activeElement.blur(); scrollTo(0, 0)",
                    HIDDEN,
                )
                browser.picture(picture)
        finally:
            browser.driver.quit()
        _join(pictures, TARGET)
    sys.stdout.write(f"Written: {TARGET}, {TARGET.stat().st_size} bytes\n")


def _run(*arguments: str) -> None:
    """Run the program on the sample."""
    command = [sys.executable, "-m", "rouge_cli", *arguments]
    sample, environment = ROOT / "fixtures" / "sample", {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=sample, check=True, env=environment, stdout=subprocess.DEVNULL)


def _join(paths: list[Path], target: Path) -> None:
    """Stack pictures vertically; 64 colours are enough for text on a white background."""
    from PIL import Image

    images = [Image.open(path).convert("RGB") for path in paths]
    joined = Image.new("RGB", (SIZE[0], sum(image.height for image in images)), "white")
    top = 0
    for image in images:
        joined.paste(image, (0, top))
        top += image.height
    joined.quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    main()

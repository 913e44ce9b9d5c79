"""A browser as the tests use it."""

import base64
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Browser", "start_browser"]

SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
WIDE, NARROW = (1280, 900), (360, 740)
READY = 10


def start_browser(binary: str, driver: str, profile: Path) -> Any:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for switch in (*SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


class Browser:
    """One page at a time.

    Parameters
    ----------
    driver : selenium.webdriver.Chrome
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def reset(self) -> None:
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        self.bypass_policy(is_bypassed=False)
        self.screen(WIDE)
        self.media()
        self.console()

    def bypass_policy(self, *, is_bypassed: bool) -> None:
        """Let scripts of tests run that the policy of the page would refuse."""
        self.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": is_bypassed})

    def screen(self, size: tuple[int, int]) -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, scheme: str = "light", kind: str = "screen") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        media = {"media": kind, "features": features}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def open(self, address: str) -> None:
        """Open a page, and wait until its script has done its work if it has one."""
        from selenium.webdriver.support.ui import WebDriverWait

        self.driver.get("about:blank")
        self.driver.get(address)
        is_ready = (
            "return document.readyState === 'complete' && "
            "(document.getElementById('scores') === null || "
            "document.documentElement.dataset.ready === 'true')"
        )
        WebDriverWait(self.driver, READY, 0.02).until(
            lambda driver: driver.execute_script(is_ready)
        )

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, READY, 0.02).until(
            lambda driver: driver.execute_script(f"return {script}")
        )

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        found: list[str] = self.run(script, selector)
        return found

    def click(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).click()", selector)

    def choose(self, name: str, label: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.driver.find_element("id", name)).select_by_visible_text(label)

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def press_on(self, selector: str, *keys: str) -> None:
        self.run("document.querySelector(arguments[0]).focus()", selector)
        self.press(*keys)

    def violations(self) -> list[tuple[str, str, list[str]]]:
        """Return the rules that axe-core finds broken: ID, impact, and the first elements."""
        package = find_spec("axe_playwright_python")
        if package is None or package.origin is None:
            pytest.skip("needs axe-core: make browser installs it")
        self.run(Path(package.origin).with_name("axe.min.js").read_text("utf-8"))
        found = self.driver.execute_async_script("axe.run().then(arguments[0])")
        return [
            (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in found["violations"]
        ]

    def seconds_of_scripts(self) -> float:
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))

    def save_to(self, folder: Path) -> None:
        folder.mkdir()
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
        )

    def wait_for_file(self, path: Path) -> str:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, READY, 0.02).until(lambda _: path.exists())
        return path.read_text("utf-8")

    def console(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def picture(self, path: Path) -> None:
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )
        path.write_bytes(base64.b64decode(shot["data"]))

"""Take pictures of every page of a report for docs, at two widths and in both themes.

WebP keeps a picture below 100 kB.

usage: python -m bench.page_pictures REPORT FOLDER
"""

import base64
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

PAGES = {
    "overview": "#/",
    "devices": "#/devices",
    "topology": "#/topology/backend",
    "plan": "#/plan",
    "switch": "#/switch/be-su01-leaf1/config_db.json/120",
    "server": "#/server/gpu0005",
    "lossless": "#/lossless",
    "tenants": "#/tenants",
    "failures": "#/failures",
}
SIZES = {"wide": (1280, 800), "phone": (360, 740)}
SHOWN_WITHIN_MS = 60_000


def take(browser: Browser, report: Path, folder: Path, theme: str, size: str) -> None:
    """Take the pictures of one theme and one width, as WebP."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    for name, address in PAGES.items():
        page.goto(f"{(report / 'index.html').resolve().as_uri()}{address}")
        page.wait_for_selector(f"main[data-shown='{address}']", timeout=SHOWN_WITHIN_MS)
        shot = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": 60})
        (folder / f"{name}-{size}-{theme}.webp").write_bytes(base64.b64decode(shot["data"]))
    context.close()


def main() -> None:
    report, folder = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for theme in ("light", "dark"):
            for size in SIZES:
                take(browser, report, folder, theme, size)
        browser.close()
    print(f"{folder}: {len(list(folder.glob('*.webp')))} pictures")


if __name__ == "__main__":
    main()

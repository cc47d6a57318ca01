"""Collect the pages and tables of the documentation that code generates."""

from collections.abc import Callable
from pathlib import Path

from tests.cli.calling import ROOT, call
from tests.docs.reference import gate
from tests.docs.reference.checks import PAGE, checks_page
from tests.docs.reference.commands import commands_section
from tests.docs.reference.risks import classes, risk_pages

from fabricgen.intent.reference import INDEX, reference_pages
from fabricgen.nos.registry import releases
from fabricgen.operate.state.watch.rules import RULES
from fabricgen.prove.invariants.laws import LAWS

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
BEGIN, END = "<!-- generated: make reference -->", "<!-- end -->"
FOLDERS = ("intent", "risk")
"""Folders of generated pages."""


def laws() -> str:
    """Return the table of the laws of every network, with the source of each law."""
    codes = [f"[{law.code}](../diagnostics/{law.code}.md)" for law in LAWS]
    rows = [
        f"| {law.name} | {code} | {law.source} |" for law, code in zip(LAWS, codes, strict=True)
    ]
    return "\n".join(["| law | code | source |", "|--|--|--|", *rows])


def watch_rules() -> str:
    """Return the table of the rules of `watch`, with the limit of each rule and its source."""
    rows = [
        f"| {rule.name} | {rule.level} | {rule.meaning} | {rule.limit} | {rule.source} | "
        f"{', '.join((*rule.metrics, *rule.also)) or '-'} | {rule.check or '-'} |"
        for rule in RULES
    ]
    head = "| rule | level | meaning | limit | source of the limit | metrics | check of `verify` |"
    return "\n".join([head, "|--|--|--|--|--|--|--|", *rows])


PARTS: dict[str, Callable[[], str]] = {
    "commands.md": commands_section,
    "intent/index.md": lambda: reference_pages(releases())[INDEX],
    "platforms.md": lambda: call("capabilities", "--format", "markdown").out,
    "risk/index.md": classes,
    "../prove/invariants.md": laws,
    "../prove/watch.md": watch_rules,
}
"""The generated part of each page whose other text is written."""


def generated_pages() -> dict[Path, str]:
    """Return the text of each generated page, and of each page with a generated part."""
    whole = {f"intent/{name}": text for name, text in reference_pages(releases()).items()}
    del whole[f"intent/{INDEX}"]
    whole |= {f"risk/{name}": text for name, text in risk_pages().items()}
    whole[PAGE] = checks_page()
    whole[gate.PAGE] = gate.gate_page()
    pages = {name: _marked(text) for name, text in whole.items()}
    pages |= {
        name: with_part((REFERENCE / name).read_text(), part()) for name, part in PARTS.items()
    }
    return {REFERENCE / name: text for name, text in pages.items()}


def _marked(text: str) -> str:
    """Return a generated page with the marks below its title."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{BEGIN}\n\n{rest.strip()}\n\n{END}\n"


def with_part(page: str, part: str) -> str:
    """Return a page with another generated part.

    Args:
        page: The page with its present part between the two marks.
        part: The new part.

    """
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{part.strip()}\n\n{END}{after}"


def surplus_pages(pages: dict[Path, str]) -> list[Path]:
    """Return the pages in the generated folders that no generator writes any more."""
    found = (file for folder in FOLDERS for file in sorted((REFERENCE / folder).glob("*.md")))
    return [file for file in found if file not in pages]


def write_pages() -> list[Path]:
    """Write the generated pages, remove surplus ones and return the files that changed."""
    pages = generated_pages()
    changed = [
        file for file, text in pages.items() if not file.exists() or file.read_text() != text
    ]
    for file in changed:
        file.write_text(pages[file])
    surplus = surplus_pages(pages)
    for file in surplus:
        file.unlink()
    return [*changed, *surplus]

"""docs/risk.md holds every rule as the code has it; FABRICGEN_GOLDEN=update rewrites its tables."""

import os
import re
from pathlib import Path

from tests.nos.risk_page import classes, tables

PAGE = Path(__file__).parents[2] / "docs" / "risk.md"
_CLASSES = re.compile(r"(?<=\n\n)\| class \| what happens \|\n.*?(?=\n\n)", re.DOTALL)
_TABLES = re.compile(r"### EOS\n.*\n", re.DOTALL)


def test_the_page_has_the_classes_and_rules_of_the_code() -> None:
    text = PAGE.read_text()
    wanted = _CLASSES.sub(lambda _: classes(), text, count=1)
    wanted = _TABLES.sub(lambda _: f"{tables()}\n", wanted, count=1)
    if os.environ.get("FABRICGEN_GOLDEN") == "update":
        PAGE.write_text(wanted)
        text = wanted
    assert text == wanted, "rewrite the page with `make golden`"
    assert classes() in text
    assert tables() in text

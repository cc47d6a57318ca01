"""Measure anew: writes docs/pictures/incast.svg and the tables of docs/evidence/incast.md."""

from __future__ import annotations

from pathlib import Path

from bench.incast.page import fill
from bench.incast.picture import draw

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, PICTURE_FILE = DOCS / "evidence" / "incast.md", DOCS / "pictures" / "incast.svg"

if __name__ == "__main__":
    PICTURE_FILE.write_text(draw(), encoding="utf-8")
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

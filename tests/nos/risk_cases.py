"""The cases of tests/nos/risks: a small diff and its class in, two states of a file out."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "risks"
PLATFORM = {"frrouting": "linux"}
"""A dialect is judged within an OS that embeds it."""


@dataclass(frozen=True)
class Case:
    platform: str
    line: int
    risk: str
    file: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.line} {self.risk}"


def cases(dialect: str) -> list[Case]:
    """Read `== class file`, then lines as of a diff."""
    text = (FOLDER / f"{dialect}.txt").read_text()
    found = []
    for block in re.finditer(r"^== (\S+) (\S+)\n((?:[ +-].*\n)+)", text, re.MULTILINE):
        risk, file, body = block.groups()
        lines = body.splitlines()
        states = ("\n".join(line[1:] for line in lines if line[0] in f" {sign}") for sign in "-+")
        before, after = map(_json, states) if file == "config_db.json" else states
        number = text[: block.start()].count("\n") + 1
        found.append(Case(PLATFORM.get(dialect, dialect), number, risk, file, before, after))
    assert len(found) == text.count("== ")
    return found


def _json(text: str) -> str:
    made: dict[str, dict[str, dict[str, str]]] = {}
    for line in text.splitlines():
        path, _, value = line.partition(" = ")
        table, key, *field = path.split(" > ")
        fields = made.setdefault(table, {}).setdefault(key, {})
        if field:
            fields[field[0]] = value
    return json.dumps(made)

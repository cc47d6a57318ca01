"""A journal in; a line of JSON for each thing that it knows out, oldest first, for a log store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fabricgen.cli.formats.document import FORMAT
from fabricgen.cli.formats.history import as_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.words import Push, Signed, Step, Takeover


def audit_lines(
    journal: Journal, pushes: Iterable[Push], takeovers: Iterable[Takeover]
) -> Iterator[str]:
    """Yield each push, given newest first, with what was signed of it and its steps."""
    for push in reversed([*pushes]):
        yield _line("push", push)
        yield from (_line("signed", each, push.id) for each in journal.signed(push.id))
        yield from (_line("step", each, push.id) for each in journal.steps(push.id))
    yield from (_line("takeover", each) for each in takeovers)


def _line(kind: str, what: Push | Signed | Step | Takeover, push: str = "") -> str:
    of = {"push": push} if push else {}
    return json.dumps({"format_version": FORMAT, "record": kind, **of, **as_data(what)}) + "\n"

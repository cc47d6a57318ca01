"""The compiler says of every example site what it said when the corpus was frozen.

FABRICGEN_CORPUS=update rewrites the hashes. `make corpus` writes the bytes into build/corpus; the
same at an older commit, and `diff -r` shows what changed (docs/extend/testing.md).
"""

import os
from pathlib import Path

import pytest
from tests.corpus.corpus import Case, cases, digests
from tests.longer import drawn

HASHES = Path(__file__).parent / "hashes.txt"
UPDATE = os.environ.get("FABRICGEN_CORPUS") == "update"
CASES = dict(cases())
FROZEN = dict(line.split("  ") for line in HASHES.read_text().splitlines())


def test_every_case_is_frozen() -> None:
    if UPDATE:
        lines = (f"{name}  {digests(case)}\n" for name, case in CASES.items())
        HASHES.write_text("".join(lines))
        return
    assert list(FROZEN) == list(CASES)


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name, case in CASES.items() if drawn(name, 12)]
)
def test_a_case_is_what_it_was(name: str, case: Case) -> None:
    assert digests(case) == FROZEN[name], f"rm -rf build/corpus; make corpus WORDS='{name}'"

"""The same intent gives the same bytes, whatever the hash seed, the locale or the time zone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import hashlib, sys
from pathlib import Path
from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site
made = hashlib.sha256()
for name in ("four-fabrics", "lab", "tenants"):
    for _, group in files(compile_site(load_site(Path("intent") / name)).site):
        for file in group:
            made.update(file.path.encode() + file.text.encode())
print(made.hexdigest())
"""


def digest(**changed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **changed},
    )
    return done.stdout


@pytest.fixture(scope="module")
def reference() -> str:
    return digest(PYTHONHASHSEED="0")


@pytest.mark.parametrize("seed", ["1", "4294967295"])
def test_the_hash_seed_does_not_matter(seed: str, reference: str) -> None:
    assert digest(PYTHONHASHSEED=seed) == reference


def test_the_locale_does_not_matter(reference: str) -> None:
    assert digest(LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8", PYTHONUTF8="0") == reference


def test_the_time_zone_does_not_matter(reference: str) -> None:
    assert digest(TZ="Pacific/Kiritimati") == reference

"""`make wheel`: what a pipeline installs is the checkout, and what the lock names, by hashes."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_wheel_and_every_package_has_its_hash() -> None:
    subprocess.run([sys.executable, ".ci/wheel"], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (ROOT / "dist").glob("fabricgen-*.whl")
    text = (ROOT / "dist" / "requirements.txt").read_text()
    first, *others = re.split(r"^(?=[.A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert first == (
        f"./tools/fabricgen/{wheel.name} \\\n"
        f"    --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n"
    )
    assert all(re.match(r"[\w.-]+==\S+( ;.*)? \\\n    --hash=sha256:", each) for each in others)
    names = {each.partition("==")[0] for each in others}
    assert {"click", "pydantic-core", "nornir", "psycopg-binary", "hvac", "protobuf"} <= names
    assert not {"pytest", "mypy", "ruff", "fabricgen"} & names
    assert all(each in (ROOT / "requirements.lock").read_text() for each in others)

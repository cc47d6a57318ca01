"""A pool that is refused: one sentence with its place, whichever fabric and pool it is."""

import shutil
from pathlib import Path

import pytest
from tests.cli.calling import call

FULL = Path(__file__).resolve().parents[2] / "intent" / "full"


@pytest.mark.parametrize("fabric", ["backend", "frontend"])
@pytest.mark.parametrize("pool", ["loopbacks", "links"])
def test_host_bits_in_a_pool_are_said(tmp_path: Path, fabric: str, pool: str) -> None:
    site = tmp_path / "site"
    shutil.copytree(FULL, site)
    path = site / f"{fabric}.yaml"
    text = path.read_text()
    wrong = f"{fabric}:\n  addressing: {{{pool}: 10.90.0.0/14}}\n"
    path.write_text(text.replace(f"{fabric}:\n", wrong, 1))
    said = call("check", str(site))
    assert said.code == 1
    wanted = f"{fabric}.addressing.{pool}: host bits are set; the prefix is 10.88.0.0/14"
    assert wanted in said.out + said.err

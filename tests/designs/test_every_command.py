"""Every published design goes through check, render and cabling without an error.

Large designs are run with fewer servers: the same words, models and speeds.
"""

from pathlib import Path

import pytest
from tests.designs.test_designs import DESIGNS, intent, texts

from fabricgen.cli.main import run

FEWER = {
    "superpod-h100": 31,
    "superpod-b200-core": 64,
    "alibaba-hpn": 128,
    "meta-24k": 32,
    "asterfusion-256k": 64,
    "bytedance-megascale": 64,
}
"""Servers of the designs that are larger than a test needs."""


@pytest.mark.parametrize("name", DESIGNS)
def test_a_published_design_is_checked_rendered_and_cabled(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    for path, text in texts(intent(name, FEWER.get(name))).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    for verb in (["check"], ["render", "-o", str(tmp_path / "out")], ["cabling", "-o", "plan"]):
        rest = [str(tmp_path / word) if word == "plan" else word for word in verb[1:]]
        code = run([verb[0], str(site), *rest])
        assert code == 0, (verb[0], capsys.readouterr().out)
    assert list((tmp_path / "out").rglob("*"))
    assert (tmp_path / "plan" / "cabling.csv").read_text().count("\n") > 1

"""The comment in the README is what `diff` prints for the edit that the README names."""

import re
import shutil
from pathlib import Path

import pytest
from tests.cli.calling import call

ROOT = Path(__file__).resolve().parents[2]
SITE = "intent/full"
VLAN = "          data: {id: 101, subnet: 10.101.0.0/22}\n"
MORE = "          checkpoints: {id: 102, subnet: 10.102.0.0/22}\n"


def test_the_comment_of_the_readme_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / SITE, tmp_path / f"main:{SITE}")
    shutil.copytree(ROOT / SITE, tmp_path / SITE)
    monkeypatch.chdir(tmp_path)
    file = Path(SITE) / "tenants/training.yaml"
    text = file.read_text()
    assert VLAN in text
    text = text.replace(VLAN, VLAN + MORE).replace(
        "trunk: [jobs, data]", "trunk: [jobs, data, checkpoints]"
    )
    file.write_text(text)
    readme = (ROOT / "README.md").read_text()
    (quoted,) = re.findall(
        r"<!-- comment: begin -->\n(.*?)<!-- comment: end -->", readme, re.DOTALL
    )
    shown = call("diff", f"main:{SITE}", SITE, "--format", "markdown").out
    lines = [f"> {line}".rstrip() for line in shown.splitlines()[1:]]
    assert quoted.splitlines() == lines

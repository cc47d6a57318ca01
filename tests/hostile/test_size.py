"""Sites of any size are answered: few CPU seconds, and 600 MB, of one process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hostile.corpus import BACKEND, FRONTEND, instead
from tests.hostile.runner import Runner
from tests.hostile.test_hostile import expect_refused, site

from fabricgen.cli.formats.drift import Drifts, show
from fabricgen.operate.deploy.plan.document import Entry

MILLION = 1_000_000


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Run the command line with 600 MB; the limit of CPU seconds is that of every hostile site."""
    started = Runner(tmp_path_factory.mktemp("said"), most=600 * 2**20)
    yield started
    started.end()


HUGE = {
    "FG005 values": "site: [" + "1," * 2 * MILLION + "]\n",
    "FG005 tenants": FRONTEND + "".join(f"  t{n}: {{vrfs: {{}}}}\n" for n in range(300_000)),
    "FG201 servers of rails": instead("count: 4", f"count: {MILLION}"),
    "FG202 servers of three tiers": f"""site:
  name: lab
  management: {{subnet: 10.0.0.0/8}}
backend:
  design: three-tier
  servers: {{count: {MILLION}, gpus: 8, nic_speed: 400G}}
  leaf: {{model: 7060X6-64PE, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos}}
  superspine: {{model: 7060X6-64PE, platform: eos}}
""",
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_site_is_answered(name: str, tmp_path: Path, little: Runner) -> None:
    folder = site(tmp_path, HUGE[name])
    expect_refused(folder, little(folder, "check", "site"), name.split(maxsplit=1)[0])


def test_twelve_files_are_no_more_than_one(tmp_path: Path, little: Runner) -> None:
    folder = site(tmp_path, BACKEND)
    for number in range(12):
        text = f"k{number}: [" + "1," * 300_000 + "]\n"
        (folder / "site" / f"{number}.yaml").write_text(text)
    expect_refused(folder, little(folder, "check", "site"), "FG005")


def test_a_comment_is_not_broken_out_of() -> None:
    """A line of a switch's own configuration that would end the fence it stands in."""
    diff = "+banner\n+```\n```\n<img src=x>\n@team"
    entry = Entry(
        switch="leaf1", fabric="f", platform="eos", state="changes", rendered="0" * 64, diff=diff
    )
    lines = show(Drifts(entries=(entry,)), "markdown").splitlines()
    fences = [number for number, line in enumerate(lines) if line.startswith("````")]
    assert len(fences) == 2
    assert lines[fences[0] + 1 : fences[1]] == diff.splitlines()

"""Every recording gives the results that its `expected.yaml` lists."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.state.recordings import opened
from fabricgen.operate.state.verified import Verified, recorded
from fabricgen.prove.catalogue.load import catalogue

FOLDERS = sorted(each.parent for each in Path(__file__).parent.glob("*/expected.yaml"))
KINDS = ("failed", "not yet", "unread")


def answers_of(folder: Path) -> Path:
    return next(each for each in sorted(folder.glob("answers*")))


def verified(folder: Path, names: list[str]) -> Verified:
    site = compile_site(load_site(folder / "site")).site
    assert site is not None
    targets = targets_of(site)
    chosen = {name: targets[name] for name in names}
    with opened(answers_of(folder)) as recordings:
        return recorded(site, chosen, targets.keys(), catalogue(), recordings)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_recording_has_its_expected_results(folder: Path) -> None:
    told: dict[str, Any] = yaml.safe_load((folder / "expected.yaml").read_text())
    assert told["kind"] in ("recorded", "written")
    assert told["about"]
    wanted: dict[str, Any] = told["switches"]
    result = verified(folder, [*wanted])
    assert result.unread == {}
    for name, expected in wanted.items():
        found = defaultdict(list)
        for each in result.results[name]:
            found[each.outcome.value].append(each.check)
        assert {kind: found[kind] for kind in KINDS} == {
            kind: expected.get(kind, []) for kind in KINDS
        }
        assert len(found["passed"]) >= expected["passed"]


def test_the_written_example_is_labeled() -> None:
    """So that nobody takes it for evidence of a real switch."""
    written = [each for each in FOLDERS if each.name.startswith("written-")]
    assert written
    for folder in written:
        assert yaml.safe_load((folder / "expected.yaml").read_text())["kind"] == "written"

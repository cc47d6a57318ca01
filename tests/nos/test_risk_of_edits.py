"""One line of intent changes: what that does to the switches and servers, on each platform."""

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site, files
from fabricgen.compile.output.risks import changes_in
from fabricgen.core.diagnostics import has_errors
from fabricgen.core.tree.risk import Change
from fabricgen.intent.load import load_texts
from fabricgen.nos.registry import OURS
from fabricgen.review.compare import Comparison, compare
from fabricgen.review.side import folders_of

LAB = Path(__file__).parents[2] / "intent" / "lab"
TEXTS = {path.relative_to(LAB).as_posix(): path.read_text() for path in LAB.rglob("*.yaml")}
TEXTS["backend.yaml"] = TEXTS["backend.yaml"].replace("pfc: false", "pfc: true")

TENANT = """tenants:
  green:
    vrfs:
      green:
        id: 3
        vlans:
          web: {id: 50, subnet: 10.10.50.0/24}
    attachments:
      - {group: hosts, servers: 5-5, access: web}
"""
MTU = ("backend.yaml", "design:", "underlay: {mtu: 9000}\n  design:")
SERVER = ("frontend.yaml", "per_leaf: 4", "per_leaf: 5")

EDITS = {
    "a server more": SERVER,
    "a tenant more": ("tenants/green.yaml", "", TENANT),
    "ECN marking points": (
        "backend.yaml",
        "pfc: true",
        "pfc: true\n    ecn: {minimum: 30000, maximum: 90000}",
    ),
    "a smaller MTU": MTU,
    "a larger MTU": (MTU[0], "mtu: 9000", "mtu: 9214"),
    "another model": ("frontend.yaml", "leaf: {model: 7050CX3-32S", "leaf: {model: 7060X6-64PE"),
    "other ASNs": (
        "frontend.yaml",
        "frontend:",
        "frontend:\n  underlay: {asn: {first: 4210000000}}",
    ),
    "faster BFD": ("frontend.yaml", "frontend:", "frontend:\n  underlay: {bfd: {interval: 100}}"),
}
BASES = {"a tenant more": "a server more", "a larger MTU": "a smaller MTU"}
"""What stood before an edit, where that is not the site as it is."""

# Per edit, what happens in each folder of the tree: class to number of switches or servers.
# An EOS or Linux file does not name the model: other hardware shows by the names of its ports.
EXPECTED: dict[str, dict[str, dict[str, dict[str, int]]]] = {
    "a server more": {
        "eos": {"frontend": {"hitless": 3}},
        "sonic": {"frontend": {"hitless": 3}},
        "linux": {"frontend": {"lossless-disruptive": 3}},
    },
    "a tenant more": {
        "eos": {"frontend": {"session-reset": 3}, "hosts": {"hitless": 3}},
        "sonic": {"frontend": {"hitless": 3}, "hosts": {"hitless": 3}},
        "linux": {"frontend": {"session-reset": 3}, "hosts": {"hitless": 3}},
    },
    "ECN marking points": {
        "eos": {"backend": {"lossless-disruptive": 6}},
        "sonic": {"backend": {"hitless": 6}},
        "linux": {"backend": {"lossless-disruptive": 6}},
    },
    "a smaller MTU": {
        "eos": {"backend": {"session-reset": 6}, "hosts": {"lossless-disruptive": 4}},
        "sonic": {"backend": {"session-reset": 6}, "hosts": {"lossless-disruptive": 4}},
        "linux": {"backend": {"lossless-disruptive": 6}, "hosts": {"lossless-disruptive": 4}},
    },
    "a larger MTU": {
        "eos": {"backend": {"session-reset": 6}, "hosts": {"lossless-disruptive": 4}},
        "sonic": {"backend": {"hitless": 6}, "hosts": {"lossless-disruptive": 4}},
        "linux": {"backend": {"lossless-disruptive": 6}, "hosts": {"lossless-disruptive": 4}},
    },
    "another model": {
        "eos": {"frontend": {"session-reset": 6}},
        "sonic": {"frontend": {"reboot": 4, "session-reset": 2}},
        "linux": {"frontend": {"lossless-disruptive": 4, "session-reset": 2}},
    },
    "other ASNs": {
        "eos": {"frontend": {"session-reset": 6}},
        "sonic": {"frontend": {"session-reset": 6}},
        "linux": {"frontend": {"session-reset": 6}},
    },
    "faster BFD": {
        "eos": {"frontend": {"hitless": 6}},
        "sonic": {"frontend": {"hitless": 6}},
        "linux": {"frontend": {"hitless": 6}},
    },
}


def edited(name: str) -> dict[str, str]:
    made = edited(BASES[name]) if name in BASES else dict(TEXTS)
    file, old, new = EDITS[name]
    assert old in made.get(file, "")
    made[file] = made[file].replace(old, new, 1) if old else new
    return made


@cache
def tree(platform: str, edit: str | None) -> dict[str, str]:
    compiled = compile_site(load_texts(edited(edit) if edit else TEXTS), platform)
    assert not has_errors(compiled.findings), compiled.findings
    assert compiled.site is not None
    return {file.path: file.text for _, made in files(compiled.site) for file in made}


def compared(platform: str, edit: str) -> Comparison:
    before, after = (folders_of(tree(platform, each)) for each in (BASES.get(edit), edit))
    return compare(before, after)


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_has_its_blast_radius(platform: str, edit: str) -> None:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for block in compared(platform, edit).blocks:
        for folder in block.folders:
            found[folder.partition("/")[0]][block.risk.word] += 1
    assert found == EXPECTED[edit][platform]


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("edit", EDITS)
def test_every_change_is_known_and_so_is_its_way_back(platform: str, edit: str) -> None:
    """What no rule knows would be judged with caution; no edit of an example comes to that."""
    before, after = (folders_of(tree(platform, each)) for each in (BASES.get(edit), edit))
    for states in ((before, after), (after, before)):
        for folder, changes in compare(*states).judged.items():
            unknown = [change.where for change in changes if not change.known]
            assert not unknown, (folder, unknown)


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("edit", EDITS)
def test_devices_of_one_class_have_the_verdict_that_each_has_alone(
    platform: str, edit: str
) -> None:
    """A port that is shut on one switch and up on another makes two changes of the same lines."""
    before, after = (folders_of(tree(platform, each)) for each in (BASES.get(edit), edit))
    found = compare(before, after)
    for folder in found.devices:
        alone = changes_in(folder, before.get(folder, {}), after.get(folder, {}))
        assert sorted(map(verdict, alone)) == sorted(map(verdict, found.changes(folder))), folder


def verdict(change: Change) -> tuple[str, ...]:
    return (change.file, change.kind.value, change.rule.why, *change.where)

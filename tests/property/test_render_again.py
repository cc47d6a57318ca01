"""Random edits of an intent in; a render over the tree before is, byte for byte, a render anew."""

import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.calling import call
from tests.longer import draws

SITE: dict[str, Any] = {
    "site": {"name": "again", "management": {"subnet": "10.255.0.0/16"}},
    "frontend": {
        "leaf": {"model": "7050CX3-32S", "platform": "eos"},
        "spine": {"model": "7050CX3-32S", "platform": "eos", "count": 2},
        "switches": {"fe-leaf03": {"platform": "sonic"}},
        "leaf_groups": {"a": {"leafs": "1-4", "servers": {"per_leaf": 4, "speed": "100G"}}},
    },
    "backend": {
        "design": "rail-only",
        "servers": {"count": 3, "gpus": 2, "nic_speed": "100G"},
        "leaf": {"model": "7050CX3-32S", "platform": "eos"},
        "addressing": {"nics": "192.168.0.0/16"},
    },
    "tenants": {
        "red": {
            "vrfs": {
                "red": {
                    "id": 1,
                    "vlans": {
                        "web": {"id": 110, "subnet": "172.16.110.0/24"},
                        "db": {"id": 111, "subnet": "172.16.111.0/24"},
                    },
                    "external": {
                        "core": {
                            "leaf": 4,
                            "cage": 24,
                            "address": "192.0.2.1/31",
                            "peer": "192.0.2.0",
                            "asn": 65500,
                        }
                    },
                }
            },
            "attachments": [
                {"group": "a", "leafs": "1-2", "servers": "1-2", "trunk": ["web", "db"]},
                {"group": "a", "leafs": "2-3", "servers": "2", "trunk": ["web"]},
            ],
        },
        "blue": {
            "vlans": {"storage": {"id": 120}},
            "attachments": [{"group": "a", "leafs": "3", "servers": "3", "access": "storage"}],
        },
    },
}
RED, BLUE = ("tenants", "red"), ("tenants", "blue")
VRF = (*RED, "vrfs", "red")
Edit = tuple[tuple[str | int, ...], Any]
NONE: Edit = (("site", "name"), "again")
SPANS = st.sampled_from(["1", "2", "3", "4", "1-2", "2-3", "1-4"])
EDITS: tuple[tuple[tuple[str | int, ...], st.SearchStrategy[Any]], ...] = (
    ((*VRF, "id"), st.integers(1, 3)),
    ((*VRF, "vlans", "web", "id"), st.integers(108, 112)),
    ((*VRF, "vlans", "web", "subnet"), st.sampled_from(["172.16.110.0/24", "172.16.0.0/22"])),
    ((*VRF, "vlans", "db", "description"), st.sampled_from(["rows", "tables"])),
    ((*VRF, "external", "core", "leaf"), st.integers(1, 4)),
    ((*VRF, "external", "core", "asn"), st.integers(65500, 65501)),
    ((*VRF, "external", "core", "accept"), st.sampled_from([["0.0.0.0/0"], ["198.51.100.0/24"]])),
    ((*RED, "description"), st.sampled_from(["a team", "another team"])),
    ((*RED, "attachments", 0, "leafs"), SPANS),
    ((*RED, "attachments", 0, "servers"), SPANS),
    ((*RED, "attachments", 0, "native"), st.sampled_from(["web", "db"])),
    ((*RED, "attachments", 1, "leafs"), SPANS),
    ((*RED, "attachments", 1, "trunk"), st.sampled_from([["web"], ["db"], ["db", "web"]])),
    ((*BLUE, "vlans", "storage", "id"), st.integers(120, 121)),
    ((*BLUE, "attachments"), st.just([])),
    (("tenants", "blue"), st.just({"vlans": {"backup": {"id": 130}}})),
    (("frontend", "overlay"), st.sampled_from([{"l2vni_base": 20_000}, {}])),
    (("frontend", "leaf_groups", "a", "leafs"), st.sampled_from(["1-4", "1-5"])),
    (("frontend", "switches", "fe-leaf03"), st.sampled_from([{"platform": "linux"}, {}])),
    (("frontend", "leaf_groups", "a", "servers", "per_leaf"), st.integers(3, 5)),
    (("backend", "servers", "count"), st.integers(1, 5)),
    (("backend", "leaf", "platform"), st.sampled_from(["eos", "linux"])),
    (("site", "management", "ntp"), st.sampled_from([["10.255.0.9"], []])),
)


@st.composite
def edit(draw: st.DrawFn) -> Edit:
    place, values = draw(st.sampled_from(EDITS))
    return place, draw(values)


def edited(site: dict[str, Any], change: Edit) -> dict[str, Any]:
    """Return the site with one place set; a place that is no more stays as it is."""
    site = copy.deepcopy(site)
    (*above, last), value = change
    part: Any = site
    for step in above:
        if (isinstance(part, dict) and step not in part) or part == []:
            return site
        part = part[step]
    part[last] = value
    return site


def rendered(folder: Path, site: dict[str, Any], out: Path, *more: str) -> bool:
    """Render a site; return whether there is nothing wrong with it."""
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site" / "site.yaml").write_text(yaml.safe_dump(site))
    return call("render", str(folder / "site"), "-o", str(out), *more).code == 0


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


PARTS = st.sampled_from([(), (), (), ("--fabric", "frontend"), ("--switch", "fe-leaf01")])
"""Options of a render: mostly none."""


@settings(max_examples=draws(25), deadline=None)
@given(edits=st.lists(st.tuples(edit(), PARTS), min_size=1, max_size=4))
def test_a_render_over_an_older_tree_is_a_render_anew(
    edits: list[tuple[Edit, tuple[str, ...]]],
) -> None:
    with TemporaryDirectory() as name:
        folder, site = Path(name), SITE
        assert rendered(folder, site, folder / "out")
        for number, (change, options) in enumerate([*edits, (NONE, ())]):
            site = edited(site, change)
            if not rendered(folder, site, folder / "out", *options) or options:
                continue
            assert rendered(folder, site, folder / f"anew{number}")
            assert tree(folder / "out") == tree(folder / f"anew{number}")

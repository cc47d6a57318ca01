"""Names are printed from coordinates, by patterns; each is a host name and stands once."""

import pytest
from tests.unit.design.sites import R128, Keys, backend, fabric, frontend, only, switches

from fabricgen.core.diagnostics import Code

UNIT: Keys = {"scalable_unit": {"servers": 2}}


def names(keys: Keys) -> set[str]:
    return {switch.name for switch in fabric(keys).topology.switches}


def two_units(**more: object) -> Keys:
    return backend("rail-optimized", R128, 4, gpus=2, **{**UNIT, **more})


def test_names_of_rail_only_have_the_rail() -> None:
    assert names(backend("rail-only", R128, 4, gpus=2)) == {"be-leaf1", "be-leaf2"}


def test_names_of_two_tiers_have_the_unit() -> None:
    assert names(two_units(spine=switches(R128, count=2))) == {
        "be-su01-leaf1",
        "be-su01-leaf2",
        "be-su02-leaf1",
        "be-su02-leaf2",
        "be-spine1",
        "be-spine2",
    }


def test_names_of_three_tiers_have_pod_and_group() -> None:
    tiers: Keys = {"spine": switches(R128, count=1), "superspine": switches(R128, count=1)}
    made = names(backend("three-tier", R128, 2, gpus=1, **UNIT, **tiers))
    assert made == {"be-su01-leaf1", "be-pod01-spine1", "be-g01-superspine1"}


def test_names_of_planes_have_the_plane() -> None:
    servers = {"count": 2, "gpus": 1, "nic_speed": "400G", "nic_ports": 2}
    more: Keys = {"servers": servers, "planes": 2, "spine": switches(R128, count=1)}
    made = names(backend("rail-optimized", R128, 2, **UNIT, **more))
    assert made == {"be-p1-su01-leaf1", "be-p2-su01-leaf1", "be-p1-spine1", "be-p2-spine1"}


def test_a_pattern_may_use_the_site_and_fill_up_with_zeros() -> None:
    patterns = {"leaf": "{site}-l{number:03}", "spine": "{site}-s{index}"}
    made = names(two_units(names=patterns, spine=switches(R128, count=1)))
    assert made == {"lab-l001", "lab-l002", "lab-l003", "lab-l004", "lab-s1"}


def test_servers_are_named_by_number() -> None:
    servers = fabric(two_units()).topology.servers
    assert [server.name for server in servers] == ["gpu0001", "gpu0002", "gpu0003", "gpu0004"]


@pytest.mark.parametrize(
    ("keys", "path", "said"),
    [
        (
            two_units(names={"leaf": "leaf{index}"}),
            ("backend", "names", "leaf"),
            "2 leafs of the backend are named 'leaf1'",
        ),
        (
            two_units(names={"spine": "spine"}, spine=switches(R128, count=2)),
            ("backend", "names", "spine"),
            "2 spines of the backend are named 'spine'",
        ),
        (
            frontend(
                leaf_groups={
                    "racks": {
                        "leafs": "1-2",
                        "servers": {"per_leaf": 1, "speed": "100G", "names": "s{index}"},
                    }
                }
            ),
            ("frontend", "leaf_groups", "racks", "servers", "names"),
            "2 servers of the frontend are named 's1'",
        ),
    ],
)
def test_a_pattern_that_names_two_alike_is_refused(
    keys: Keys, path: tuple[str, ...], said: str
) -> None:
    found = only(keys)
    assert (found.code, found.path, found.message) == (Code.NAME_NOT_UNIQUE, path, said)


def test_a_name_beyond_63_characters_is_refused() -> None:
    found = only(two_units(names={"leaf": "x" * 40 + "{unit:09}{index:09}{plane:09}"}))
    assert found.code is Code.BAD_VALUE
    assert "is not a valid host name" in found.message


def test_an_unknown_word_is_refused_once() -> None:
    found = only(two_units(names={"leaf": "leaf{number}{rack}"}))
    assert found.code is Code.BAD_VALUE
    assert found.message == "unknown word 'rack' in this name pattern"


def test_a_wrong_pattern_of_server_names_is_said_once_for_a_group_of_leafs() -> None:
    racks = {
        "leafs": "1-3",
        "servers": {"per_leaf": 1, "speed": "100G", "names": "{leaf}-s{rack}"},
    }
    found = only(frontend(leaf_groups={"racks": racks}))
    assert found.path == ("frontend", "leaf_groups", "racks", "servers", "names")
    assert found.message == "unknown word 'rack' in this name pattern"

"""From a leaf-spine with tenants and a lossless class: memory of every kind of port, and cables."""

from tests.unit.design.sites import Keys, frontend, intent, switches

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.model.frontend import Frontend
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Fabric

GROUPS = {
    "near": {"leafs": "1-2", "servers": {"per_leaf": 4, "speed": "100G", "cable_length": 3}},
    "far": {"leafs": "3-3", "servers": {"per_leaf": 8, "speed": "25G", "cable_length": 40}},
    "border": {"leafs": "4-4"},
}


def designed(**words: object) -> Fabric:
    site, said = design_site(intent(frontend(**words)))
    assert not [item for item in said if item.severity is Severity.ERROR], said
    return site.fabrics[0]


def kinds(buffers: SwitchBuffers) -> set[tuple[str, int, int]]:
    """Speed, meters and number of each kind of port."""
    return {(str(kind.speed), int(kind.length), count) for kind, count in buffers.ports}


def test_without_the_key_nothing_is_paused_and_no_mark_of_a_server_taken() -> None:
    plain = designed()
    assert plain.lossless is None
    assert plain.qos is not None
    assert not plain.qos.serves
    assert {Use.EDGE} & {
        use for switch_slice in Slicer(plain).slices() for use in switch_slice.trusted
    } == set()


def test_every_port_of_every_switch_has_headroom_for_its_own_cable() -> None:
    fabric = designed(leaf_groups=GROUPS, links={"length": 30}, roce={})
    assert fabric.lossless is not None
    of = fabric.lossless.switches
    assert of.keys() == {switch.name for switch in fabric.topology.switches}
    assert kinds(of["fe-leaf01"]) == {("100G", 3, 4), ("100G", 30, 4)}
    assert kinds(of["fe-leaf03"]) == {("25G", 40, 8), ("100G", 30, 4)}
    assert kinds(of["fe-leaf04"]) == {("100G", 30, 4)}
    assert kinds(of["fe-spine1"]) == {("100G", 30, 32)}
    for link in fabric.topology.links:
        assert of[link.upper.name].port(link.speed, link.length) is not None


def test_marks_of_servers_are_taken_on_leafs_and_paused_without_pfc_they_are_not() -> None:
    for roce, paused in (({}, (3,)), ({"pfc": False}, ())):
        for switch_slice in Slicer(designed(roce=roce)).slices():
            assert switch_slice.qos is not None
            assert switch_slice.qos.paused == paused
            assert Use.EDGE in switch_slice.trusted
            assert Use.EXTERNAL not in switch_slice.trusted
    assert designed(roce={"enabled": False}).lossless is None


def test_storage_is_a_class_beside_roce_data() -> None:
    fabric = designed(roce={"storage": {"dscp": 34}, "over_subscription": 8})
    assert fabric.qos is not None
    assert {item.kind: item.dscps for item in fabric.qos.lossless} == {
        Kind.LOSSLESS: (26,),
        Kind.STORAGE: (34,),
    }


def test_pods_and_a_collapsed_pair_carry_it_too() -> None:
    pods: Keys = {
        "design": "superspine",
        "leafs_per_pod": 2,
        "superspine": switches("7050CX3-32S", count=2),
    }
    for words in (pods, {"design": "collapsed", "spine": None}):
        fabric = designed(roce={}, **words)
        assert fabric.lossless is not None
        assert fabric.lossless.switches.keys() == {s.name for s in fabric.topology.switches}


def test_shorter_cables_are_shorter_wherever_they_are_said() -> None:
    kind = {"count": 8, "ports": {"data": {"fabric": "frontend", "speed": "100G"}}}
    kind["ports"]["data"]["cable_length"] = 60  # type: ignore[index]
    groups = {"racks": {"leafs": "1-2"}}
    words = intent({**frontend(leaf_groups=groups, roce={}), "servers": {"nvme": kind}})
    (seen,) = words.each_fabric()
    assert isinstance(seen, Frontend)
    assert seen.cables == (60, 30)
    assert seen.within(20).cables == (20, 20)
    own = next(intent(frontend(leaf_groups=GROUPS, roce={})).each_fabric())
    assert isinstance(own, Frontend)
    assert own.cables == (3, 40, 30)
    assert own.within(20).cables == (3, 20, 20)


def test_points_that_cannot_hold_name_shorter_cables_that_were_tried() -> None:
    groups = {"racks": {"leafs": "1-1", "servers": {"per_leaf": 4, "speed": "100G"}}}
    words = frontend(leaf_groups=groups, links={"length": 2000}, roce={"alpha": -7})
    _, said = design_site(intent(words))
    hints = [item.hint for item in said if item.code is Code.MARKING_RULE]
    assert hints
    assert all("cables of at most" in hint or "roce." in hint for hint in hints)


def test_management_ports_and_a_class_for_servers_are_not_of_the_same_leafs() -> None:
    _, said = design_site(intent(frontend(roce={}, oob={"cages": {"racks": 2}})))
    assert "would apply to every port of a leaf" in " ".join(item.message for item in said)

"""Tenants of rails: which VRF a server is in, what stays where it is, and each refusal."""

import pytest
from tests.unit.design.sites import R64, R128, Keys, backend, fabric, findings, only

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.nos.hosts.routed import RoutedSlicer

UNIT: Keys = {"scalable_unit": {"servers": 4}}
RAILS = backend("rail-optimized", R128, 8, gpus=2, **UNIT)
ONLY = backend("rail-only", R64, 8, gpus=2)
KINDS: Keys = {
    "servers": {
        "gpu": {"count": 8, "gpus": 2, "ports": {"rail": {"fabric": "backend", "speed": "400G"}}}
    },
    "backend": {key: words for key, words in RAILS["backend"].items() if key != "servers"},
}


def tenant(name: str, number: int, *numbers: str, **more: object) -> Keys:
    """One tenant of the backend with a VRF of its name."""
    return {
        name: {
            "fabric": "backend",
            "vrfs": {name: {"id": number, **more}},
            "attachments": [{"numbers": each, "vrf": name} for each in numbers],
        }
    }


def shared(*tenants: Keys, rails: Keys = RAILS) -> Keys:
    return {**rails, "tenants": {name: words for each in tenants for name, words in each.items()}}


TWO = shared(tenant("blue", 1, "1-2,5-6"), tenant("red", 2, "3-4,7-8"))


def overlay_of(fabric: Fabric) -> Overlay:
    assert fabric.overlay is not None
    return fabric.overlay


def nics(fabric: Fabric) -> dict[str, tuple[str, str | None]]:
    """Return address and VRF of each leaf's port to a NIC, by server and NIC."""
    return {
        f"{item.peer.name} {item.peer_port.label}": (str(item.address), item.vrf)
        for switch_slice in Slicer(fabric).slices()
        for item in switch_slice.interfaces
        if item.use is Use.NIC and item.peer is not None and item.peer_port is not None
    }


def test_all_nics_of_a_server_are_in_the_vrf_of_its_tenant() -> None:
    ports = nics(fabric(TWO))
    assert {key: vrf for key, (_, vrf) in ports.items() if key.startswith("gpu0003")} == {
        "gpu0003 rdma0": "red",
        "gpu0003 rdma1": "red",
    }
    assert [vrf for _, vrf in ports.values()].count("blue") == 8
    assert len(ports) == 16


def test_addresses_know_no_tenants() -> None:
    alone = {key: address for key, (address, _) in nics(fabric(RAILS)).items()}
    moved = shared(tenant("blue", 1, "1-7"), tenant("red", 2, "8"))
    for keys in (TWO, moved, shared(tenant("blue", 1, "1-8", local=True))):
        assert {key: address for key, (address, _) in nics(fabric(keys)).items()} == alone


def test_a_leaf_has_the_vrfs_of_its_servers_alone() -> None:
    keys = shared(tenant("blue", 1, "1-4"), tenant("red", 2, "5-8"))
    leafs = [
        switch_slice
        for switch_slice in Slicer(fabric(keys)).slices()
        if switch_slice.switch.is_leaf
    ]
    assert {(each.switch.unit, tuple(vrf.name for vrf in each.vrfs)) for each in leafs} == {
        (1, ("blue",)),
        (2, ("red",)),
    }


def test_spines_join_the_vrfs_by_tunnels_between_leafs() -> None:
    made = fabric(TWO)
    leaf, spine = (
        next(
            switch_slice
            for switch_slice in Slicer(made).slices()
            if switch_slice.switch.is_leaf is is_leaf
        )
        for is_leaf in (True, False)
    )
    assert [(vrf.vni, vrf.transit_vlan) for vrf in leaf.tunneled] == [
        (50_001, 3001),
        (50_002, 3002),
    ]
    assert str(leaf.vtep) == "10.193.0.1/32"
    assert {session.peer.role for session in leaf.sessions if session.overlay} == {"spine"}
    assert (spine.vtep, spine.vrfs) == (None, ())
    assert any(session.overlay for session in spine.sessions)
    assert [str(each.prefix) for each in made.routing.allowed] == ["10.192.0.0/16", "10.193.0.0/16"]


def test_what_servers_send_fits_into_a_tunnel() -> None:
    for keys, mtu in ((TWO, 9164), (RAILS, 9214)):
        pieces = list(Slicer(fabric(keys)).slices())
        used = {
            (item.use, item.mtu)
            for switch_slice in pieces
            for item in switch_slice.interfaces
            if item.peer
        }
        assert used == {(Use.NIC, mtu), (Use.FABRIC, 9214)}


@pytest.mark.parametrize(
    "keys",
    [
        shared(tenant("blue", 1, "1-8"), rails=ONLY),
        shared(tenant("blue", 1, "1-8", local=True)),
    ],
)
def test_a_vrf_that_is_each_leafs_own_has_no_tunnel(keys: Keys) -> None:
    made = fabric(keys)
    assert overlay_of(made).rules is None
    for switch_slice in Slicer(made).slices():
        assert (switch_slice.overlay, switch_slice.vtep, switch_slice.tunneled) == (None, None, ())
        assert not any(session.overlay for session in switch_slice.sessions)
        assert [vrf.name for vrf in switch_slice.vrfs] == (
            ["blue"] if switch_slice.switch.is_leaf else []
        )
    assert {vrf for _, vrf in nics(made).values()} == {"blue"}


def test_local_and_joined_vrfs_stand_beside_each_other() -> None:
    keys = shared(tenant("blue", 1, "1-6"), tenant("red", 2, "7-8", local=True))
    for switch_slice in Slicer(fabric(keys)).slices():
        assert "red" not in {vrf.name for vrf in switch_slice.tunneled}
        assert (switch_slice.overlay is None) is False


def test_a_kind_is_attached_by_its_name() -> None:
    blue = tenant("blue", 1)
    blue["blue"]["attachments"] = [{"servers": "gpu", "port": "rail", "vrf": "blue"}]
    assert len(overlay_of(fabric(shared(blue, rails=KINDS))).members) == 8


def test_rails_are_named_by_who_lives_there() -> None:
    keys = tenant("blue", 1, "1-8")
    del keys["blue"]["fabric"]
    item = only(shared(keys))
    assert (item.code, item.path) == (Code.MISSING_KEY, ("tenants", "blue"))
    assert item.hint == "add `fabric:` with one of backend"


HERE = ("tenants", "blue")
FIRST = (*HERE, "attachments", 0)
WEB: Keys = {"id": 110, "subnet": "10.110.0.0/24"}


def blue(attachment: Keys | None = None, **vrf: object) -> Keys:
    words = tenant("blue", 1, "1-8", **vrf)
    if attachment is not None:
        words["blue"]["attachments"] = [{"vrf": "blue", **attachment}]
    return words


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        (
            shared(tenant("blue", 1, "1-4"), tenant("red", 2, "4-8")),
            Code.PORT_USED_TWICE,
            ("tenants", "red", "attachments", 0),
        ),
        (shared(tenant("blue", 1, "1-7")), Code.MISSING_KEY, ("backend", "servers")),
        (
            shared(tenant("blue", 1, "1-4"), tenant("red", 1, "5-8")),
            Code.DUPLICATE_ID,
            ("tenants", "red", "vrfs", "red", "id"),
        ),
        (
            shared(tenant("blue", 600, "1-8")),
            Code.VNI_CLASH,
            (*HERE, "vrfs", "blue", "id"),
        ),
        (shared(tenant("blue", 1, "1-9")), Code.UNKNOWN_REFERENCE, (*FIRST, "numbers")),
        (shared(blue({"vrf": "green"})), Code.UNKNOWN_REFERENCE, (*FIRST, "vrf")),
        (shared(blue({"servers": "gpu"})), Code.UNKNOWN_REFERENCE, (*FIRST, "servers")),
        (
            shared(blue({"servers": "cpu"}), rails=KINDS),
            Code.UNKNOWN_REFERENCE,
            (*FIRST, "servers"),
        ),
        (shared(blue({}), rails=KINDS), Code.MISSING_KEY, FIRST),
        (
            shared(blue({"servers": "gpu", "vrf": None, "access": "web"}), rails=KINDS),
            Code.MISSING_KEY,
            FIRST,
        ),
        (shared(blue(vlans={"web": WEB})), Code.BAD_VALUE, (*HERE, "vrfs", "blue", "vlans")),
    ],
)
def test_what_rails_cannot_be_asked_is_said_where_it_stands(
    keys: Keys, code: Code, path: tuple[str | int, ...]
) -> None:
    item = only(keys)
    assert (item.code, item.path) == (code, path)


def test_servers_of_two_tenants_do_not_share_a_subnet() -> None:
    keys = shared(blue(), rails=backend("rail-only", R64, 8, nic_addressing={"mode": "subnet"}))
    assert only(keys).path == ("backend", "nic_addressing", "mode")


def test_nobody_is_asked_for_the_rest_before_the_attachments_are_right() -> None:
    assert len(findings(shared(tenant("blue", 1, "1-4,9")))) == 1


def test_a_tunnel_hides_the_queue_pair() -> None:
    hashed: Keys = {"load_balancing": {"hash": ["source-ip", "destination-ip", "queue-pair"]}}
    rails = backend("rail-optimized", R128, 8, gpus=2, **UNIT, **hashed)
    assert only(shared(blue(), rails=rails)).path == ("backend", "load_balancing", "hash")
    assert not findings(shared(blue(local=True), rails=rails))


def test_a_pool_of_tunnel_ends_needs_tenants() -> None:
    pools: Keys = {"addressing": {"vteps": "10.99.0.0/16"}}
    rails = backend("rail-optimized", R128, 8, gpus=2, **UNIT, **pools)
    assert only(rails).path == ("backend", "addressing", "vteps")
    pieces = Slicer(fabric(shared(blue(), rails=rails))).slices()
    assert "10.99.0.1/32" in {str(switch_slice.vtep) for switch_slice in pieces}


@pytest.mark.parametrize("tenants", [("1-6", "7-8"), ("3-4,7-8", "1-2,5-6")])
def test_only_servers_of_a_vrf_over_spines_have_a_route_to_all_rails(
    tenants: tuple[str, str],
) -> None:
    made = fabric(shared(tenant("blue", 1, tenants[0]), tenant("red", 2, tenants[1], local=True)))
    members = overlay_of(made).members
    slicer = RoutedSlicer(made)
    for server in made.topology.servers:
        for side in slicer.sides(server):
            known = {port.plan.everywhere is not None for port in side.ports}
            assert known == {members[server.name].vrf == "blue"}, server.name

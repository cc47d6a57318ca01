"""The contract between NICs and leafs: what it says, and that every way to break it is named."""

import dataclasses
from typing import Any

import pytest
from tests.unit.hosts.hosts import SHAPES, designed, leaf_ports, plain, rails, servers

from fabricgen.core.units import Meters
from fabricgen.model.fabric.hosts import HostContract, LeafSide, StorageSide, agree
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.qos import Kind, Qos
from fabricgen.model.fabric.switch import Site, SwitchSlice


def contract(site: Site) -> HostContract:
    found = rails(servers(site)[0]).share.contract
    assert found is not None
    return found


def leaf_side(switch_slice: SwitchSlice, interface: Interface) -> LeafSide:
    """Read a leaf's side of a link to a NIC from its slice."""
    speed = interface.port.speed
    classes = switch_slice.qos.classes if switch_slice.qos is not None else ()
    return LeafSide(
        where=f"{switch_slice.switch.name} {interface.port.label}",
        qos=switch_slice.qos,
        marked=frozenset(item.kind for item in classes if speed in (item.marking or {})),
        mtu=interface.mtu,
        length=interface.length,
    )


def side(site: Site) -> LeafSide:
    return leaf_side(*next(iter(leaf_ports(site.fabrics[0]).values())))


def test_the_contract_is_that_of_the_classes() -> None:
    told = contract(plain())
    assert (told.dscp, told.priority, told.trust) == (26, 3, "dscp")
    assert told.pfc_mask == (0, 0, 0, 1, 0, 0, 0, 0)
    assert (told.cnp_dscp, told.cnp_priority, told.ecn) == (48, 6, True)
    assert (told.mtu, told.length, told.traffic_class) == (9214, 5, 106)
    assert {code: p for code, p in enumerate(told.priorities) if p} == {26: 3, 48: 6, 56: 7}
    assert told.shares == (50, 50)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"roce": {"ecn": {"enabled": False}}}, {"ecn": False, "traffic_class": 104}),
        ({"roce": {"pfc": False, "watchdog": {"enabled": False}}}, {"paused": ()}),
        ({"roce": {"dscp": 24}}, {"dscp": 24, "traffic_class": 98}),
        ({"nic": "thor2"}, {"traffic_class": 104, "mtu": 9214}),
        ({"nic": "pollara-400"}, {"traffic_class": 104, "mtu": 9194}),
        ({"cable_length": 30}, {"length": 30}),
        ({"underlay": {"mtu": 4200}}, {"mtu": 4200}),
    ],
)
def test_the_contract_follows_the_intent(words: dict[str, Any], said: dict[str, object]) -> None:
    told = contract(designed(**words))
    assert {key: getattr(told, key) for key in said} == said


STORAGE = designed(roce={"over_subscription": 8, "storage": {"dscp": 34, "share": 20}})


def test_a_storage_class_is_in_the_contract() -> None:
    told = contract(STORAGE)
    assert told.pfc_mask == (0, 0, 0, 1, 1, 0, 0, 0)
    assert told.storage == StorageSide(34, 4, ecn=True)
    assert {code: p for code, p in enumerate(told.priorities) if p} == {26: 3, 34: 4, 48: 6, 56: 7}
    assert told.shares == (40, 20, 40)
    assert told.traffic_class == 106  # that of RoCE data: storage says its own


@pytest.mark.parametrize(
    ("kind", "changes", "said"),
    [
        (
            Kind.STORAGE,
            {"number": 5},
            [
                ": storage (DSCP 34) are in class 5, but in 4 on the NIC",
            ],
        ),
        (Kind.STORAGE, {"paused": None}, [": PFC pauses priority 3, but priority 3, 4 on the NIC"]),
        (
            Kind.LOSSLESS,
            {"paused": None},
            [": PFC pauses priority 4, but priority 3, 4 on the NIC"],
        ),
    ],
)
def test_a_leaf_that_treats_storage_otherwise_is_named(
    kind: Kind, changes: dict[str, Any], said: list[str]
) -> None:
    here = side(STORAGE)
    assert here.qos is not None
    other = dataclasses.replace(here, qos=with_class(here.qos, kind, **changes))
    found = agree(contract(STORAGE), other)
    assert [text[text.index(": ") :] for text in found] == said


def test_storage_that_only_one_end_marks_is_named() -> None:
    here = side(STORAGE)
    assert here.marked == {Kind.LOSSLESS, Kind.STORAGE}
    other = dataclasses.replace(here, marked=frozenset({Kind.LOSSLESS}))
    (found,) = agree(contract(STORAGE), other)
    assert found.endswith(": ECN marking of storage is off, but DCQCN on the NIC is on")


def test_without_roce_there_is_no_contract() -> None:
    assert rails(servers(designed(roce={"enabled": False}))[0]).share.contract is None


@pytest.mark.parametrize("shape", SHAPES)
def test_every_leaf_agrees_with_its_nics(shape: str) -> None:
    site = plain(shape)
    told = contract(site)
    for switch_slice, interface in leaf_ports(site.fabrics[0]).values():
        assert agree(told, leaf_side(switch_slice, interface)) == []


def with_class(qos: Qos, kind: Kind, **changes: Any) -> Qos:
    """Return the classes with one of them changed."""
    classes = tuple(
        dataclasses.replace(item, **changes) if item.kind is kind else item for item in qos.classes
    )
    return dataclasses.replace(qos, classes=classes)


LEAF = side(plain())
QOS = LEAF.qos
assert QOS is not None
BROKEN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no classes": ({"qos": None}, ["has no traffic classes, the NIC sends RoCE with DSCP 26"]),
    "a smaller MTU": ({"mtu": 9000}, [": MTU 9000 is smaller than the NIC's 9214"]),
    "another cable": ({"length": Meters(40)}, [": the cable length is 40 m, but 5 m on the NIC"]),
    "no marking": ({"marked": frozenset()}, [": ECN marking is off, but DCQCN on the NIC is on"]),
    "another class of data": (
        {"qos": with_class(QOS, Kind.LOSSLESS, number=4)},
        [": RoCE data (DSCP 26) are in class 4, but in 3 on the NIC"],
    ),
    "another class of CNPs": (
        {"qos": with_class(QOS, Kind.CNP, number=5)},
        [": CNPs (DSCP 48) are in class 5, but in 6 on the NIC"],
    ),
    "another class of routing": (
        {"qos": with_class(QOS, Kind.CONTROL, number=2)},
        [": DSCP 56 and 0 more have a different class on the NIC"],
    ),
    "no pause": (
        {"qos": with_class(QOS, Kind.LOSSLESS, paused=None)},
        [": PFC pauses nothing, but priority 3 on the NIC"],
    ),
    "CNPs paused": (
        {"qos": with_class(QOS, Kind.CNP, paused=6)},
        [
            ": PFC pauses priority 3, 6, but priority 3 on the NIC",
            ": priority 6 of CNPs is paused",
        ],
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_every_disagreement_is_named(broken: str) -> None:
    changes, said = BROKEN[broken]
    found = agree(contract(plain()), dataclasses.replace(LEAF, **changes))
    assert len(found) == len(said)
    assert all(text.startswith("be-su01-leaf1 ") for text in found)
    assert all(text.endswith(end) for text, end in zip(found, said, strict=True))


def test_a_traffic_class_of_another_dscp_is_named() -> None:
    wrong = dataclasses.replace(contract(plain()), traffic_class=0)
    assert agree(wrong, LEAF)[0].endswith("the traffic class byte 0 is not DSCP 26")

"""What a switch says of its counters, and of what works."""

import json

from fabricgen.nos.health import lost
from fabricgen.nos.linux.driver import health
from fabricgen.nos.shared.documents import SEPARATOR, VTYSH, Look, answers
from fabricgen.nos.show import ENABLED, ESTABLISHED, SHUT, UP, BgpActivity, Observed, Part

SESSION, DOWN = ("session", "default", "10.0.0.1"), ("session", "red", "10.0.0.3")


def pulse(accepted: int) -> BgpActivity:
    prefixes = (("ipv4", accepted, 3),)
    return BgpActivity(
        up=61_000, resets=(1, 0), updates=(0, 0), prefixes=prefixes, waiting=0, ended=()
    )


SEEN = Observed(
    facts={
        ("interface", "swp1"): {"link": UP, "mtu": "9214"},
        ("interface", "swp2"): {"link": ENABLED, "mtu": "9214"},
        ("interface", "swp3"): {"link": SHUT, "mtu": "9214"},
        ("interface", "vlan10"): {"link": UP, "mtu": "9214"},
        SESSION: {"asn": "65001", "families": ("ipv4",), "state": ESTABLISHED},
        DOWN: {"asn": "65001", "families": ("ipv4",), "state": "Idle"},
        ("bfd", "default", "10.0.0.1"): {"timers": "300 ms times 3", "state": UP},
        ("bfd", "default", "10.0.0.5"): {"timers": "300 ms times 3", "state": "down"},
        ("cable", "swp1"): {"far": (("spine1", "swp4", "descr"),)},
        ("cable", "swp2"): {"far": (("",),)},
    },
    pulses={SESSION: pulse(7), DOWN: pulse(7)},
    unread={Part.LLDP: "no lldpd", Part.QUEUES: "no tc"},
)


FRR = "".join(f"sw# {line}\n" for line in VTYSH)


def answered(key: str, text: str, status: int = 0) -> str:
    """Return the part of a script's output that one command leaves."""
    return f"{text}\n{SEPARATOR}{key} {status}\n"


OVERLAY = "".join(
    answered(key, text)
    for key, text in [
        ("frr", FRR),
        ("evpn", ""),
        ("vrfs", ""),
        ("floods", ""),
        ("servers", ""),
    ]
)


def counted(drops: object) -> Look[str]:
    return Look(answers(answered("queues", json.dumps(drops)) + OVERLAY))


def test_what_works_is_what_is_up() -> None:
    found = health.of(SEEN, counted([]))
    assert found.sessions == {"default 10.0.0.1": True, "red 10.0.0.3": False}
    assert found.bfd == {"default 10.0.0.1": True, "default 10.0.0.5": False}
    assert found.cables == {"swp1 spine1 swp4"}
    assert found.links == {"swp1": True, "swp2": False}
    assert found.routes == {"default 10.0.0.1 ipv4": 7}
    assert found.errors == {}
    assert found.unread == ("LLDP neighbors: no lldpd",)


def test_routes_that_a_session_no_longer_brings_are_lost() -> None:
    before = health.of(SEEN, counted([]))
    empty = Observed(facts=SEEN.facts, pulses={SESSION: pulse(0), DOWN: pulse(0)})
    after = health.of(empty, counted([]))
    assert lost(before, after) == (
        "BGP session default 10.0.0.1 ipv4 no longer receives routes (before: 7)",
    )


def test_drops_count_where_a_queue_must_not_drop() -> None:
    queues = [
        {"kind": "red", "dev": "swp1", "parent": "1:3", "options": {"nodrop": True}, "drops": 5},
        {"kind": "red", "dev": "swp1", "parent": "1:4", "options": {}, "drops": 6},
        {"kind": "htb", "dev": "swp1", "options": {}, "drops": 7},
    ]
    assert health.of(Observed(), counted(queues)).errors == {"swp1 1:3 drops": 5}


def test_what_cannot_be_read_is_named() -> None:
    look = answered("queues", "sh: tc: not found", 127) + OVERLAY
    found = health.of(Observed(), Look(answers(look)))
    assert found.errors == {}
    assert found.unread == ("drops: sh: tc: not found",)


def test_a_device_without_a_name_leaves_interfaces_unread() -> None:
    found = health.health_of(answered("addresses", '[{"ifname": null, "flags": ["UP"]}]'))
    assert "invalid device name None" in str(found.unread)
    assert found.links == {}

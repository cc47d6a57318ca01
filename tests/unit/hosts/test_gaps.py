"""The NIC catalog, and what a NIC cannot do of what the intent asks."""

import dataclasses
from typing import Any

import pytest
from tests.unit.hosts.hosts import compiled, designed, plain

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog import nics
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.catalog.nics import nic_model, nic_names
from fabricgen.model.fabric.switch import Fabric
from fabricgen.nos.hosts.gaps import host_gaps

ONE_PRIORITY = "configfs of bnxt_re has one roce_prio and one roce_dscp"
WHICH = "set `servers.nic` to another NIC, one of: "
TOGETHER = (
    "no port runs 800G, but 2 together do: `nic_ports: 2` with `nic_speed: 400G`, in `planes: 2` "
    "or one, and `nic`: bluefield-3, connectx-8"
)
NO_DOCUMENT = "it is announced with 800G, but no document describes its host settings"
PAUSING = "bluefield-3, connectx-6-dx, connectx-6-lx, connectx-7, connectx-8, pollara-400"
STORAGE: dict[str, object] = {"over_subscription": 8, "storage": {}}


@pytest.mark.parametrize("name", nic_names())
def test_every_nic_is_whole(name: str) -> None:
    model = nic_model(name)
    assert model is not None
    assert model.name == name
    assert model.family in {"connectx", "thor", "pollara"}
    assert model.source
    assert set(model.ports.values()) <= set(model.speeds)
    assert model.runs(1, max(model.speeds))


def test_a_nic_that_is_not_there_is_none() -> None:
    assert nic_model("connectx-99") is None
    assert nic_model("../nics/thor2") is None


def test_two_ports_of_400g_make_800g_a_gpu_over_two_planes() -> None:
    site = designed("two-planes", nic="connectx-8", nic_speed="400G")
    assert {str(link.speed) for link in site.fabrics[0].topology.links if link.to_server} == {
        "400G"
    }
    assert {link.upper.plane for link in site.fabrics[0].topology.links_at["gpu0001"]} == {1, 2}


def test_the_default_fits_the_examples() -> None:
    assert host_gaps(plain().fabrics[0]) == []


@pytest.mark.parametrize(
    ("words", "code", "path", "message", "hint"),
    [
        (
            {"nic": "conectx-7"},
            Code.UNKNOWN_REFERENCE,
            ("backend", "servers", "nic"),
            "no NIC 'conectx-7' in the catalog",
            "did you mean 'connectx-7'?",
        ),
        *(
            (
                {"nic": name, "nic_speed": "800G"},
                Code.UNKNOWN_REFERENCE,
                ("backend", "servers", "nic"),
                f"no NIC {name!r} in the catalog: {NO_DOCUMENT}",
                TOGETHER,
            )
            for name in ("thor-ultra", "vulcano")
        ),
        (
            {"nic": "connectx-6-dx"},
            Code.SPEED_NOT_ON_MODEL,
            ("backend", "servers", "nic_speed"),
            "connectx-6-dx does not run 1 port(s) at 400G",
            f"{WHICH}bluefield-3, connectx-7, connectx-8, pollara-400, thor2",
        ),
        (
            {"nic_speed": "800G"},
            Code.SPEED_NOT_ON_MODEL,
            ("backend", "servers", "nic_speed"),
            "connectx-7 does not run 1 port(s) at 800G",
            TOGETHER,
        ),
        (
            {"shape": "two-planes", "nic": "pollara-400"},
            Code.UNSUPPORTED,
            ("backend", "servers", "nic_ports"),
            "pollara-400 has at most 1 port(s), but the intent needs 2",
            f"{WHICH}bluefield-3, connectx-6-dx, connectx-6-lx, connectx-7, connectx-8, thor2",
        ),
        (
            {"nic": "thor2", "roce": {"over_subscription": 8, "storage": {}}},
            Code.UNSUPPORTED,
            ("backend", "roce", "storage"),
            f"thor2 pauses 1 priority in all known documents, not 2: {ONE_PRIORITY}",
            f"use another NIC in `servers.nic`: {PAUSING}; or remove `roce.storage`",
        ),
        (
            {"shape": "two-planes", "nic_speed": "400G"},
            Code.SPEED_NOT_ON_MODEL,
            ("backend", "servers", "nic_speed"),
            "connectx-7 does not run 2 port(s) at 400G",
            f"{WHICH}bluefield-3, connectx-8",
        ),
    ],
)
def test_what_a_nic_cannot_do_is_an_error(
    words: dict[str, Any], code: Code, path: tuple[str, ...], message: str, hint: str
) -> None:
    made = compiled(**words)
    assert made.site is not None
    (found,) = host_gaps(made.site.fabrics[0])
    assert found in made.findings
    assert (found.code, found.path) == (code, path)
    assert (found.message, found.severity) == (message, Severity.ERROR)
    assert found.hint == hint
    assert not made.ok


def without_dcqcn(fabric: Fabric) -> Fabric:
    """Return a fabric whose site brings a ConnectX-7 that does not do DCQCN."""
    model = nic_model("connectx-7")
    assert model is not None
    without = dataclasses.replace(model, dcqcn=False)
    own = dataclasses.replace(SHIPPED, own_nics={model.name: without})
    hosts = {ports: dataclasses.replace(plan, catalog=own) for ports, plan in fabric.hosts.items()}
    return dataclasses.replace(fabric, hosts=hosts)


def test_a_nic_without_dcqcn_is_told() -> None:
    (found,) = host_gaps(without_dcqcn(plain().fabrics[0]))
    assert (found.code, found.path) == (Code.UNSUPPORTED, ("backend", "roce", "ecn"))


def test_marked_storage_needs_dcqcn_too() -> None:
    roce: dict[str, object] = {"over_subscription": 8, "ecn": {"enabled": False}, "storage": {}}
    (found,) = host_gaps(without_dcqcn(designed(roce=roce).fabrics[0]))
    assert (found.code, found.path) == (Code.UNSUPPORTED, ("backend", "roce", "ecn"))


@pytest.mark.parametrize("nic", ["connectx-7", "pollara-400"])
def test_other_nics_pause_storage_too(nic: str) -> None:
    assert host_gaps(designed(nic=nic, roce=STORAGE).fabrics[0]) == []


def test_storage_that_is_not_paused_asks_nothing_of_a_nic() -> None:
    assert host_gaps(designed(nic="thor2", roce={"pfc": False, "storage": {}}).fabrics[0]) == []


def test_more_ports_are_slower() -> None:
    model = nics.nic_model("connectx-7")
    assert model is not None
    gig = 10**9
    assert model.runs(1, BitsPerSecond(400 * gig))
    assert model.runs(2, BitsPerSecond(200 * gig))
    assert not model.runs(2, BitsPerSecond(400 * gig))
    assert not model.runs(4, BitsPerSecond(100 * gig))
    assert not model.runs(1, BitsPerSecond(800 * gig))

"""Whom the switches of a batch and their neighbors ping, from where, and by which seed."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.facts import Key
from fabricgen.intent.load import load_site, load_texts
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Traffic
from fabricgen.operate.deploy.push import stations
from fabricgen.operate.deploy.push.model import Model
from fabricgen.operate.deploy.push.stations import Chooser, Pings
from fabricgen.operate.deploy.texts import Texts

ROOT = Path(__file__).resolve().parents[4]
SHARED = ROOT / "intent/lab"
ALONE = "so each leaf pings only the servers at its own ports"
LEAFS = ("fe-leaf01", "fe-leaf02", "fe-leaf03")


@cache
def model(*edits: tuple[str, str]) -> Model:
    """Return the lab's design, with edits of what its files say."""
    texts = {
        str(path.relative_to(SHARED)): path.read_text() for path in sorted(SHARED.rglob("*.yaml"))
    }
    for old, new in edits:
        assert any(old in text for text in texts.values()), old
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    site = compile_site(load_texts(texts) if edits else load_site(SHARED)).site
    assert site is not None
    return Model(site, Texts(site), frozenset())


def look(leaf: int) -> Health:
    """Return a look at a leaf with a server in each VLAN, as the lab has them."""
    vlans = {
        vlan: Bridged(
            vni=10_000 + vlan,
            gateway=f"10.10.{vlan}.1 00:1c:73:00:00:99",
            servers={f"10.10.{vlan}.{9 + leaf}": "02:00:00:00:00:01"},
            ports={f"10.10.{vlan}.{9 + leaf}": f"swp{place}"},
        )
        for place, vlan in enumerate((10, 20, 30, 40), 1)
    }
    return Health(traffic=Traffic(vtep=f"10.65.0.{leaf}", vlans=vlans))


def chosen(
    *edits: tuple[str, str],
    looks: Mapping[str, Health] | None = None,
    told: Mapping[str, Collection[Key]] | None = None,
    seed: str = "push-1",
) -> Pings:
    return Chooser(
        model=model(*edits),
        looks=looks or {name: look(number) for number, name in enumerate(LEAFS, 1)},
        batch=("fe-leaf01",),
        changed=told or {},
        seed=seed,
    ).pings()


def asked(pings: Pings, name: str, kind: Kind = Kind.ROUTED) -> set[tuple[str, str, str]]:
    return {(end.of, end.source, end.far) for end in pings.ends[name] if end.kind is kind}


def test_a_changed_leaf_asks_its_own_servers_and_those_of_others_by_its_own_address() -> None:
    red = {
        ("red", "10.250.1.1", f"10.10.{vlan}.{host}") for vlan in (10, 20) for host in (10, 11, 12)
    }
    blue = {
        ("blue", "10.250.2.1", f"10.10.{vlan}.{host}") for vlan in (30, 40) for host in (10, 11, 12)
    }
    assert asked(chosen(), "fe-leaf01") == red | blue
    assert chosen().alone == ()


def test_a_neighbor_asks_its_own_servers_and_into_the_batch() -> None:
    for number, name in ((2, "fe-leaf02"), (3, "fe-leaf03")):
        found = asked(chosen(), name)
        assert {far for of, source, far in found if of == "red"} == {
            "10.10.10.10",
            "10.10.20.10",
            f"10.10.10.{9 + number}",
            f"10.10.20.{9 + number}",
        }
        assert {source for of, source, _ in found if of == "red"} == {f"10.250.1.{number}"}


def test_a_server_is_named_by_the_port_that_it_is_at() -> None:
    end = next(end for end in chosen().ends["fe-leaf02"] if end.far == "10.10.20.10")
    assert end.station is not None
    assert end.station.text == ("server fe-leaf01-h2 (10.10.20.10, VLAN 20, VRF red, at fe-leaf01)")
    assert (
        end.station._replace(name="").text == "server 10.10.20.10 (VLAN 20, VRF red, at fe-leaf01)"
    )


def test_a_server_whose_mac_the_bridge_forgot_has_a_name_where_its_port_is_certain() -> None:
    forgot = look(1)
    vlans = {number: replace(it, ports={}) for number, it in forgot.traffic.vlans.items()}
    forgot = replace(forgot, traffic=replace(forgot.traffic, vlans=vlans))

    def names(*edits: tuple[str, str]) -> set[str]:
        ends = chosen(*edits, looks={"fe-leaf01": forgot}).ends["fe-leaf01"]
        return {f"{at.far} {at.station.name}" for at in ends if at.station is not None}

    assert "10.10.20.10 fe-leaf01-h2" in names()
    assert "10.10.20.10 " in names(
        ("servers: 1-1, access: web", "servers: 1-1, trunk: [web, app], native: web")
    )


def test_servers_of_a_vrf_that_may_not_be_reached_are_asked_too() -> None:
    forbidden = asked(chosen(), "fe-leaf01", Kind.APART)
    assert len(forbidden) == 2 * stations.APART
    for of, source, far in forbidden:
        assert source == {"red": "10.250.1.1", "blue": "10.250.2.1"}[of]
        assert far.split(".")[2] in {"red": ("30", "40"), "blue": ("10", "20")}[of]


def test_where_routes_are_shared_the_servers_of_the_other_vrf_must_answer() -> None:
    pings = chosen(("        id: 2\n", "        id: 2\n        share_routes: [red]\n"))
    assert asked(pings, "fe-leaf01", Kind.APART) == set()
    crossing = {far for of, _, far in asked(pings, "fe-leaf01") if of == "red"}
    others = {far for far in crossing if far.split(".")[2] in ("30", "40")}
    assert len(others) == stations.OTHERS


def test_without_diagnostic_addresses_a_leaf_asks_its_own_servers_and_says_so() -> None:
    pings = chosen(("        diagnostics: {subnet: 10.250.1.0/24}", ""))
    red = {each for each in asked(pings, "fe-leaf01") if each[0] == "red"}
    assert red == {("red", f"10.10.{vlan}.1", f"10.10.{vlan}.10") for vlan in (10, 20)}
    assert pings.alone == (
        f"VRF red has no diagnostic addresses (`diagnostics` of the VRF), {ALONE}",
    )


def test_an_address_that_the_batch_brings_is_no_source_yet() -> None:
    pings = chosen(told={"fe-leaf01": [("interface", "red")]})
    red = {each for each in asked(pings, "fe-leaf01") if each[0] == "red"}
    assert red == {("red", f"10.10.{vlan}.1", f"10.10.{vlan}.10") for vlan in (10, 20)}
    assert pings.alone == (
        f"VRF red gets its diagnostic address on fe-leaf01 with this batch, {ALONE}",
    )


def test_servers_behind_other_leafs_are_known_by_their_host_routes() -> None:
    """Nobody else is looked at, as with `--limit`."""
    routes = {"10.10.20.12": "10.65.0.3", "10.250.1.3": "10.65.0.3", "10.10.20.13": "192.0.2.1"}
    alone = look(1)
    vrfs = {"red": Routed(vni=50_001, servers=routes)}
    alone = replace(alone, traffic=replace(alone.traffic, vrfs=vrfs))
    pings = chosen(looks={"fe-leaf01": alone})
    far = {end.station for end in pings.ends["fe-leaf01"]} - {None}
    behind = [each for each in far if each is not None and each.leaf != "fe-leaf01"]
    assert [each.text for each in behind] == [
        "server fe-leaf03-h2 (10.10.20.12, VLAN 20, VRF red, at fe-leaf03)"
    ]


def test_a_sample_is_bounded_and_follows_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stations, "FAR", 2)

    def far(seed: str) -> set[str]:
        ends = chosen(seed=seed).ends["fe-leaf01"]
        return {end.far for end in ends if _far(end)}

    assert far("push-1") == far("push-1")
    assert {len(far(f"push-{number}")) for number in range(8)} == {2}
    assert len({frozenset(far(f"push-{number}")) for number in range(8)}) > 1
    monkeypatch.setattr(stations, "MOST", 3)
    assert {len(ends) for ends in chosen().ends.values()} == {3}


def _far(end: End) -> bool:
    at = end.station
    return at is not None and end.kind is Kind.ROUTED and at.leaf != "fe-leaf01" and end.of == "red"

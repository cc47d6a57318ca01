"""Losses of servers by real edits of the example sites, rendered on both sides."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import checked, designed, files
from fabricgen.compile.output.manifest import folder_of_file
from fabricgen.compile.output.risks import changes_in
from fabricgen.compile.output.server_files import complete, is_package
from fabricgen.core.tree.judge import GONE
from fabricgen.core.tree.risk import Change, Kind, Risk, Rule
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.failures import Fails
from fabricgen.model.fabric.switch import Site
from fabricgen.prove.failures.failures import Failure
from fabricgen.prove.failures.groups import FABRIC
from fabricgen.prove.failures.survey import Survey
from fabricgen.review.hits import hits
from fabricgen.review.model import Hit, Loss
from fabricgen.review.outages import Outages

INTENT = Path(__file__).parents[3] / "intent"
Edit = tuple[str, str, str]
"""File, old text, new text."""


@cache
def side(site: str, edits: tuple[Edit, ...]) -> tuple[Site, dict[str, dict[str, str]]]:
    """Return a site after some edits, and its files by folder of the device."""
    root = INTENT / site
    texts = {it.relative_to(root).as_posix(): it.read_text() for it in root.rglob("*.yaml")}
    for file, old, new in edits:
        assert old in texts[file]
        texts[file] = texts[file].replace(old, new, 1)
    compiled = checked(designed(load_texts(texts)))
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    made = {file.path: file.text for _, mine in files(compiled.site) for file in mine}
    folders: dict[str, dict[str, str]] = {}
    for path, text in complete(made).items():
        folder = folder_of_file(path)
        if not is_package(folder):
            folders.setdefault(folder, {})[path.removeprefix(f"{folder}/")] = text
    return compiled.site, folders


def edited(site: str, *edits: Edit) -> tuple[Hit, ...]:
    (before, old), (after, new) = side(site, ()), side(site, edits)
    changes = {
        folder: changes_in(folder, old.get(folder, {}), new.get(folder, {}))
        for folder in sorted(old.keys() | new.keys())
        if old.get(folder) != new.get(folder)
    }
    assert changes or before is not after
    return hits(before, after, changes)


def touched(site: Site, changes: Mapping[str, Risk], why: str = "a test") -> tuple[Hit, ...]:
    """Return the losses by one change without a place in each folder."""
    return hits(
        site,
        site,
        {
            folder: [
                Change(
                    file="eos.cfg",
                    where=("everything",),
                    kind=Kind.CHANGED,
                    rule=Rule("", risk, why, "a test"),
                    known=True,
                )
            ]
            for folder, risk in changes.items()
        },
    )


def names(found: Iterator[Hit] | tuple[Hit, ...]) -> set[str]:
    return {server for hit in found for server in hit.servers}


def numbered(kind: str, first: int, last: int) -> set[str]:
    return {f"{kind}{number:04}" for number in range(first, last + 1)}


def test_a_server_in_another_tenant_loses_its_network_alone() -> None:
    (hit,) = edited(
        "full",
        ("tenants/serving.yaml", "numbers: 9-16", "numbers: 10-16"),
        ("tenants/operations.yaml", "numbers: 5-8", "numbers: 5-9"),
    )
    assert (hit.loss, hit.network, hit.servers) == (Loss.NETWORK, "frontend", ("cpu0009",))
    assert hit.tenants == ("serving",)
    assert "moves to tenant operations" in hit.text
    assert hit.lasts.startswith("not known")
    assert hit.drain == "no drain avoids it"


def test_a_server_at_another_leaf_is_off_that_network() -> None:
    (hit,) = edited(
        "full", ("servers.yaml", "per_leaf: 8,", "per_leaf: 8, moved: {1: {leaf: 6, place: 9}},")
    )
    assert (hit.loss, hit.network, hit.servers) == (Loss.NETWORK, "frontend", ("cpu0001",))
    assert hit.text == "is off the network while it moves"
    assert "fe-leaf05:1/1" in hit.why
    assert hit.drain == "no drain avoids it"


def test_a_removed_server_is_lost_and_others_are_not() -> None:
    found = edited(
        "full",
        ("servers.yaml", "  cpu:\n    count: 16", "  cpu:\n    count: 15"),
        ("tenants/serving.yaml", "9-16", "9-15"),
    )
    assert (found[0].loss, found[0].servers) == (Loss.SERVER, ("cpu0016",))
    assert all(hit.loss < Loss.LEG and "no rule permits" in hit.text for hit in found[1:])


def test_another_mtu_of_the_frontend_interrupts_every_server() -> None:
    found = edited("full", ("frontend.yaml", "frontend:\n", "frontend:\n  underlay: {mtu: 9100}\n"))
    lost = [hit for hit in found if hit.loss is Loss.NETWORK]
    assert names(tuple(lost)) == numbered("gpu", 1, 64) | numbered("cpu", 1, 16)
    assert {hit.network for hit in found} == {"frontend"}
    assert sum(hit.gpus for hit in lost) == 512
    assert all(hit.lasts.startswith("not known") for hit in found)


def test_another_asn_of_a_spine_costs_half_of_the_bandwidth() -> None:
    found = edited(
        "full",
        ("frontend.yaml", "frontend:\n", "frontend:\n  switches: {fe-spine1: {asn: 4200000999}}\n"),
    )
    spine = next(hit for hit in found if hit.by == ("fe-spine1",))
    assert (spine.loss, spine.keeps) == (Loss.BANDWIDTH, 0.5)
    assert names((spine,)) == numbered("gpu", 1, 64) | numbered("cpu", 1, 16)
    assert "FIB update of eos" in spine.lasts  # no figures in the intent
    assert spine.drain == "a drain of the switch before avoids it; frontend keeps 50 % meanwhile"
    assert {hit.loss for hit in found} == {Loss.BANDWIDTH}


def test_a_shut_uplink_hits_the_servers_of_its_leaf_for_good() -> None:
    state = "frontend:\n  switches: {fe-leaf01: {links: {fe-spine1: {state: planned}}}}\n"
    found = edited("full", ("frontend.yaml", "frontend:\n", state))
    assert {hit.loss for hit in found} == {Loss.BANDWIDTH}
    assert names(found) >= numbered("gpu", 1, 16)
    assert all(hit.lasts.startswith("for good") for hit in found)
    assert all(hit.drain == "no drain avoids it" for hit in found)


def test_ntp_hits_no_server() -> None:
    assert edited("tenants", ("site.yaml", "10.255.3.251]", "10.255.3.249]")) == ()


def test_another_vlan_number_hits_its_servers() -> None:
    found = edited("pairs", ("site.yaml", "data: {id: 101", "data: {id: 102"))
    lost = tuple(hit for hit in found if hit.loss >= Loss.NETWORK)
    assert names(lost) >= numbered("web", 1, 6) | numbered("db", 1, 3)


def test_queues_of_one_port_drop_packets_of_lossless_classes_of_its_server() -> None:
    site, _ = side("full", ())
    change = Change(
        file="config_db.json",
        where=("BUFFER_PG", "Ethernet0|3-4", "profile"),
        kind=Kind.CHANGED,
        rule=Rule("", Risk.LOSSLESS_DISRUPTIVE, "headroom changes under traffic", "a test"),
        known=True,
    )
    (hit,) = hits(site, site, {"backend/be-su01-leaf1": [change]})
    assert (hit.loss, len(hit.servers), hit.keeps) == (Loss.BANDWIDTH, 1, None)
    assert "RoCE flows of its GPUs may lose packets" in hit.text


def test_a_shut_port_for_queues_costs_a_leg() -> None:
    site, _ = side("full", ())
    change = Change(
        file="config_db.json",
        where=("BUFFER_PG", "Ethernet0|3-4", "profile"),
        kind=Kind.CHANGED,
        rule=Rule("", Risk.LOSSLESS_DISRUPTIVE, "the port is shut to set its queues", "a test"),
        known=True,
    )
    found = hits(site, site, {"backend/be-su01-leaf1": [change]})
    assert (found[0].loss, found[0].text) == (Loss.LEG, "loses 1 of 8 ports of backend")
    assert found[0].rails == (1,)


def test_an_unclassified_change_takes_the_complete_switch() -> None:
    site, _ = side("full", ())
    change = Change(
        file="eos.cfg",
        where=("interface Ethernet1/1", "novelty"),
        kind=Kind.ADDED,
        rule=Rule("", Risk.LOSSLESS_DISRUPTIVE, "not known", "a test"),
        known=False,
    )
    found = hits(site, site, {"frontend/fe-leaf05": [change]})
    assert names(found[:1]) == numbered("cpu", 1, 8)
    assert found[0].loss is Loss.NETWORK


@pytest.mark.parametrize("risk", [Risk.SESSION_RESET, Risk.REBOOT])
def test_a_bond_moves_its_traffic_only_if_its_port_goes_down(risk: Risk) -> None:
    site, _ = side("pairs", ())
    found = touched(site, {"frontend/fe-leaf01": risk})
    web = [hit for hit in found if "web0001" in hit.servers]
    expected = Loss.LEG if risk is Risk.REBOOT else Loss.SERVER
    assert web[0].loss is expected


def test_all_leafs_of_a_bond_at_once_are_mentioned() -> None:
    site, _ = side("pairs", ())
    both = {"frontend/fe-leaf01": Risk.REBOOT, "frontend/fe-leaf02": Risk.REBOOT}
    one = touched(site, {"frontend/fe-leaf01": Risk.REBOOT})
    assert not any("at once" in hit.text for hit in one)
    web = [hit for hit in touched(site, both) if "web0001" in hit.servers]
    assert web[0].loss is Loss.LEG
    assert web[0].text.startswith("loses 1 of 2 ports of frontend; all changes at once")


def test_a_removed_spine_is_gone_for_good() -> None:
    site, _ = side("tenants", ())
    change = Change(file="", where=(), kind=Kind.REMOVED, rule=GONE, known=True)
    (hit,) = hits(site, site, {"frontend/fe-spine2": [change]})
    assert (hit.loss, hit.keeps) == (Loss.BANDWIDTH, 0.5)
    assert hit.lasts.startswith("for good")


def test_a_reason_about_every_session_takes_the_complete_switch() -> None:
    """The line names one neighbor, but FRR restarts for it."""
    site, _ = side("full", ())
    change = Change(
        file="frr.conf",
        where=("neighbor Ethernet0 interface",),
        kind=Kind.CHANGED,
        rule=Rule("", Risk.SESSION_RESET, "every BGP session of the switch ends", "a test"),
        known=True,
    )
    found = hits(site, site, {"backend/be-su01-leaf1": [change]})
    assert (found[0].loss, len(found[0].servers)) == (Loss.LEG, 32)


def test_marking_thresholds_drop_packets_of_all_servers_and_cut_none() -> None:
    thresholds = "backend:\n  roce: {ecn: {minimum: 208700, maximum: 900000}}\n"
    (hit,) = edited("rail-only", ("site.yaml", "backend:\n", thresholds))
    assert (hit.loss, hit.gpus, len(hit.servers)) == (Loss.BANDWIDTH, 128, 32)
    assert "RoCE flows of its GPUs may lose packets" in hit.text
    assert hit.drain.startswith("no drain avoids it")


@pytest.mark.parametrize("name", ["full", "tenants", "pairs", "lab", "three-tier", "rail-only"])
def test_no_failed_switch_hits_fewer_servers_than_the_failure_analysis(name: str) -> None:
    site, _ = side(name, ())
    for fabric in site.fabrics:
        survey = Survey(fabric)
        for switch in fabric.topology.switches:
            failure = Failure(
                kind=Fails(switch.role.value), name=switch.name, switches=(switch.name,)
            )
            outcomes = {one.group: one.outcome(failure) for one in survey.groups}
            found = touched(site, {f"{fabric.name}/{switch.name}": Risk.REBOOT})
            lost = {server for hit in found if hit.loss >= Loss.NETWORK for server in hit.servers}
            for group, outcome in outcomes.items():
                if outcome is None:
                    continue
                if group.kind == FABRIC:
                    whole = (hit for hit in found if hit.text == f"loses {fabric.name}")
                    assert names(whole) == set(outcome.lost), (fabric.name, switch.name)
                    shares = [hit.keeps for hit in found if hit.keeps is not None]
                    if outcome.each < 1:
                        assert min(shares) <= float(outcome.each)
                if group.kind != "rail":
                    assert lost >= {*outcome.lost, *outcome.shut_in}
                assert names(found) >= set(outcome.lost)


@pytest.mark.parametrize("name", ["full", "lab", "pairs", "three-tier"])
def test_equal_failures_hit_the_servers_that_each_would_hit_alone(name: str) -> None:
    for fabric in side(name, ())[0].fabrics:
        shared = Outages(fabric=fabric)
        survey = Survey(fabric)
        for switch in fabric.topology.switches:
            case = shared.whole(switch)
            alone = {one.group.label: one.outcome(case.failure) for one in survey.groups}
            for harm in shared.harms(case):
                expected = alone[harm.group.label]
                assert expected is not None
                assert harm.lost == set(expected.lost), (switch.name, harm.group.label)
                assert harm.shut_in == set(expected.shut_in)
                if harm.group.kind == FABRIC:
                    whole = next(one for one in survey.groups if one.group.kind == FABRIC)
                    shares = whole.shares(case.failure)
                    kept = {it: share for share, names in harm.shares.items() for it in names}
                    assert kept == {it: shares[it] for it in shares if it not in harm.lost}

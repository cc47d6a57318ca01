"""From switches that spread packets badly: order (FG320), polarisation (FG321), flows (FG322)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import EVERY, Piece, cut, designed, examine, fabric_of

from fabricgen.compile.checks.balancing import PacketOrder, Polarisation, TooFewFlows
from fabricgen.core.diagnostics import Examined, Severity
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Mode
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Role

TWO_TIERS = """
backend:
  design: rail-optimized
  servers: {{count: 32, gpus: 2, nic_speed: 400G, nic: {nic}}}
  scalable_unit: {{servers: 16}}
  links: {{speed: 400G}}
  leaf: {{model: 7060X6-64PE, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos, count: 4}}
  load_balancing: {{{words}}}
  {more}
"""
THREE_TIERS = designed(
    """
backend:
  design: three-tier
  servers: {count: 32, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 16}
  growth: {pods: 2}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 4}
  superspine: {model: 7060X6-64PE, platform: eos}
"""
)


def site(words: str = "", nic: str = "connectx-7", more: str = "") -> Site:
    return designed(TWO_TIERS.format(words=words, nic=nic, more=more))


def severities(examined: Examined) -> set[Severity]:
    return {finding.severity for finding in examined.findings}


@pytest.mark.parametrize("shape", EVERY)
@pytest.mark.parametrize("kind", [PacketOrder, Polarisation, TooFewFlows])
def test_a_designed_site_passes(
    kind: type[PacketOrder | Polarisation | TooFewFlows], shape: str
) -> None:
    made = designed(EVERY[shape])
    result = examine(kind, made)
    assert result.findings == ()
    assert result.objects >= len(cut(made))


def test_spraying_at_a_nic_that_needs_order_is_an_error() -> None:
    result = examine(PacketOrder, site("mode: spray"))
    assert severities(result) == {Severity.ERROR}
    assert "connectx-7 cannot receive packets out of order" in result.findings[0].message
    assert result.findings[0].path == ("backend", "load_balancing", "mode")


@pytest.mark.parametrize("mode", ["spray", "flowlet"])
def test_a_nic_that_reorders_takes_every_mode(mode: str) -> None:
    assert examine(PacketOrder, site(f"mode: {mode}", nic="connectx-8")).findings == ()


def test_flowlets_that_a_pause_may_outlast_are_a_warning_with_the_time() -> None:
    result = examine(PacketOrder, site("mode: flowlet"))
    assert severities(result) == {Severity.WARNING}
    assert "for up to 200 ms" in result.findings[0].message
    assert result.findings[0].path == ("backend", "load_balancing", "mode")


def test_flowlets_without_pause_keep_their_order() -> None:
    quiet = "roce: {pfc: false, watchdog: {enabled: false}}"
    assert examine(PacketOrder, site("mode: flowlet", more=quiet)).findings == ()


def test_a_hash_keeps_order_whatever_the_nic() -> None:
    assert examine(PacketOrder, site()).findings == ()


def reseeded(made: Site, seeds: dict[Role, int], **facts: object) -> list[Piece]:
    """Give tiers other seeds."""
    told = fabric_of(made, "backend").balancing
    assert told is not None
    other = {
        role: replace(told[role], seed=seed, **facts)  # type: ignore[arg-type]
        for role, seed in seeds.items()
    }
    return [
        (
            fabric,
            replace(
                switch_slice, balancing=other.get(switch_slice.switch.role, switch_slice.balancing)
            ),
        )
        for fabric, switch_slice in cut(made)
    ]


def test_a_spine_with_the_seed_of_its_leafs_is_found_with_the_links_it_loses() -> None:
    made = reseeded(THREE_TIERS, {Role.LEAF: 3, Role.SPINE: 3})
    result = examine(Polarisation, THREE_TIERS, made)
    assert severities(result) == {Severity.ERROR}
    lower = THREE_TIERS.fabrics[0].topology
    first = next(link for link in lower.links if not link.to_server)
    up = sum(link.lower.name == first.lower.name for link in lower.links if not link.to_server)
    into = sum(
        (link.lower.name, link.upper.name) == (first.lower.name, first.upper.name)
        for link in lower.links
    )
    onward = sum(link.lower.name == first.upper.name for link in lower.links)
    used = len({value % onward for value in range(up * onward) if value % up < into})
    assert f"only {used} of {onward} links of {first.upper.name}" in result.findings[0].message
    assert result.findings[0].path == ("backend", "load_balancing", "seeds")


def test_tiers_that_are_no_neighbors_may_have_one_seed() -> None:
    made = reseeded(THREE_TIERS, {Role.LEAF: 25})
    assert examine(Polarisation, THREE_TIERS, made).findings == ()


def test_other_fields_make_another_hash() -> None:
    made = reseeded(THREE_TIERS, {Role.LEAF: 10}, fields=FIVE_TUPLE[:2])
    assert examine(Polarisation, THREE_TIERS, made).findings == ()


def test_another_platform_makes_another_hash() -> None:
    made = [
        (fabric, replace(switch_slice, switch=replace(switch_slice.switch, platform="sonic")))
        if switch_slice.switch.is_leaf
        else (fabric, switch_slice)
        for fabric, switch_slice in reseeded(THREE_TIERS, {Role.LEAF: 10})
    ]
    assert examine(Polarisation, THREE_TIERS, made).findings == ()


def test_parallel_links_to_a_leaf_lose_nothing_to_one_seed() -> None:
    made = site("seeds: {leaf: 4, spine: 4}")
    assert examine(Polarisation, made).findings == ()


def test_what_goes_by_load_does_not_polarise() -> None:
    told = {"mode": Mode.FLOWLET}
    made = reseeded(THREE_TIERS, {Role.LEAF: 3, Role.SPINE: 3}, **told)
    assert examine(Polarisation, THREE_TIERS, made).findings == ()


def test_few_flows_are_a_warning_with_a_number_that_is_enough() -> None:
    result = examine(TooFewFlows, site("queue_pairs: 1"))
    (found,) = result.findings
    assert found.severity is Severity.WARNING
    assert "be-su01-leaf1 and 3 more: 16 NIC ports are 16 flows over 16 uplinks" in found.message
    named = found.hint.split("`")[1].removeprefix("load_balancing.")
    enough = examine(TooFewFlows, site(f"{named}, hash: [source-ip, queue-pair]"))
    assert enough.findings == ()


def test_leafs_with_the_same_figures_are_counted() -> None:
    for servers, more in ((16, " and 1 more"), (48, " and 5 more")):
        text = TWO_TIERS.format(words="queue_pairs: 1", nic="connectx-7", more="")
        made = designed(text.replace("count: 32", f"count: {servers}"))
        (found,) = examine(TooFewFlows, made).findings
        assert found.message.startswith(f"be-su01-leaf1{more}: 16 NIC ports are ")


def test_a_leaf_that_is_alone_is_named_alone() -> None:
    made = site("queue_pairs: 1")
    (one, *_) = (switch_slice for switch_slice in cut(made) if switch_slice[1].switch.is_leaf)
    (found,) = examine(TooFewFlows, made, [one]).findings
    assert found.message.startswith("be-su01-leaf1: 16 NIC ports are ")


def test_queue_pairs_that_the_hash_does_not_see_do_not_count() -> None:
    few = site("queue_pairs: 64, hash: [source-ip, destination-ip]")
    (found,) = examine(TooFewFlows, few).findings
    assert "16 NIC ports are 16 flows" in found.message


@pytest.mark.parametrize(
    ("words", "nic", "more"),
    [
        ("mode: flowlet", "connectx-7", ""),
        ("", "pollara-400", ""),
        ("queue_pairs: 1", "connectx-7", "roce: {enabled: false}"),
    ],
)
def test_where_flows_are_not_hashed_or_not_known_nothing_is_said(
    words: str, nic: str, more: str
) -> None:
    assert examine(TooFewFlows, site(words, nic, more)).findings == ()

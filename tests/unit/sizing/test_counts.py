"""Optics, watts and rack units are sums over what was wired; what is not known is said."""

from tests.unit.sizing.asking import needs

from fabricgen.core.diagnostics import has_errors
from fabricgen.model.catalog.optics import shipped_optics
from fabricgen.plan.sizing.candidates import candidate, candidates, chosen, designed, roomy
from fabricgen.plan.sizing.counts import Bought, counted
from fabricgen.plan.sizing.designs import DESIGNS, design_of, intent


def test_a_twin_transceiver_serves_both_links_of_its_cage() -> None:
    """16 servers x 8 links of 400G: 128 in NICs, and of 64 cages on leafs one each."""
    backend = candidate(needs("--servers", "16"), design_of("rail-only")).backend
    assert backend.links == {"to servers": 128}
    assert backend.parts.unknown == 0
    assert backend.parts.optics == {"400G-SR4": 128, "OSFP-800G-2SR4": 8 * 16 // 2}


def test_watts_are_those_of_switches_and_optics() -> None:
    backend = candidate(needs("--servers", "16"), design_of("rail-only")).backend
    optics = shipped_optics()

    watts = sum((optics[name].power or 0) * n for name, n in backend.parts.optics.items())
    assert backend.draw.optics == backend.parts.watts == watts
    assert backend.draw.typical == 8 * 640 + watts
    assert backend.draw.maximum == 8 * 2218
    assert backend.draw.unknown == ()
    assert backend.rack_units == 8 * 2


def test_what_no_source_gives_is_named_and_no_sum_is_made_without_it() -> None:
    said = ("--servers", "16", "--switch", "NH-4210-F")
    backend = candidate(needs(*said), design_of("rail-only")).backend
    assert backend.draw.typical is None
    assert backend.draw.maximum is None
    assert backend.rack_units is None
    assert "watts of NH-4210-F" in backend.draw.unknown


def test_a_model_with_one_of_two_figures_has_the_sum_of_that_one() -> None:
    said = ("--servers", "16", "--switch", "SN5600")
    draw = candidate(needs(*said), design_of("rail-only")).backend.draw
    assert draw.typical == 8 * 940 + draw.optics
    assert draw.maximum is None


def test_infiniband_is_counted_with_switches_of_its_own_and_never_chosen() -> None:
    """DGX SuperPOD H100 (RA-11333-001 V11, table 4): 127 servers, 32 leafs and 16 spines."""
    found = candidates(needs("--servers", "127", "--unit", "32", "--growth", "1.007"))
    by_name = {each.design.name: each for each in found}
    quantum = by_name["infiniband-2"].backend
    assert quantum.switches == {"leaf": 32, "spine": 16}
    assert quantum.models == {"QM9700": 48}
    assert quantum.links == {"to servers": 1016, "to spines": 1024}
    best = chosen(found)
    assert best is not None
    assert not best.design.infiniband


def test_the_fewest_switches_are_chosen_of_designs_that_join_all_gpus() -> None:
    best = chosen(candidates(needs("--servers", "32")))
    assert best is not None
    assert best.design.name == "rail-optimized"
    assert chosen(candidates(needs("--servers", "10"), [design_of("rail-only")])) is None
    best = chosen(candidates(needs("--servers", "1100")))
    assert best is not None
    assert best.design.name == "three-tier"


def test_infiniband_alone_leaves_nothing_to_choose() -> None:
    asked = needs("--servers", "16")
    found = candidates(asked, [design_of("infiniband-2"), design_of("infiniband-3")])
    assert [each.why_not for each in found] == ["", ""]
    assert chosen(found) is None


def test_only_what_is_active_draws_and_what_is_not_known_is_counted() -> None:
    passive = next(optic for optic in shipped_optics().values() if optic.kind == "DAC")
    active = next(optic for optic in shipped_optics().values() if optic.power)
    dark = next(
        optic for optic in shipped_optics().values() if optic.power is None and not optic.is_cable
    )
    mine = Bought()
    for optic in (passive, active, active, dark):
        mine.draw(optic)
    assert (mine.watts, mine.unpowered) == (2 * (active.power or 0), 1)


def test_every_design_is_the_intent_that_it_would_write() -> None:
    asked = roomy(needs("--servers", "24", "--frontend-ports", "2", "--storage-servers", "4"))
    for design in DESIGNS:
        files = intent(asked, design)
        site, findings = designed(files)
        assert not has_errors(findings)
        assert counted(site)["backend"].gpus == 24 * 8


def test_growth_reserves_no_server_for_the_rounding_of_a_float() -> None:
    assert 100 * 1.1 > 110
    assert needs("--servers", "100", "--growth", "1.1").reserved == 110
    assert needs("--servers", "101", "--growth", "1.1").reserved == 112

"""Sum of demands x growth <= uplinks: at the number itself it fits, one above it does not."""

from dataclasses import replace

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.core.diagnostics import Failure
from fabricgen.plan.sizing.candidates import SizingRequest, asked, candidates, designed, times
from fabricgen.plan.sizing.designs import design_of, intent
from fabricgen.plan.sizing.needs import Transfer, judge


def of(**terms: int) -> SizingRequest:
    return SizingRequest(fabric="frontend", terms=terms, growth=1.5, up=3000, down=9000)


def test_demands_are_summed_and_grow() -> None:
    assert of(ingest=1000, inference=1000).fits
    assert of(ingest=1000, inference=1000).total == 3000
    assert not of(ingest=1000, inference=1001).fits


def test_both_the_uplinks_and_the_ports_of_servers_bound_them() -> None:
    tight = SizingRequest(fabric="frontend", terms={"ingest": 2000}, growth=1, up=3000, down=1999)
    assert not tight.fits
    assert "> 1.999Kb/s" not in tight.sentence
    assert "servers' ports" in tight.sentence


@pytest.mark.parametrize(
    ("words", "carriers"),
    [
        ((), {"frontend": ["ingest", "checkpoint", "storage_reads"]}),
        (
            ("--storage-servers", "4"),
            {"frontend": ["ingest"], "storage": ["checkpoint", "storage_reads"]},
        ),
    ],
)
def test_storage_is_asked_of_its_fabric_or_else_of_the_frontend(
    words: tuple[str, ...], carriers: dict[str, list[str]]
) -> None:
    rates = ("--ingest", "100G", "--checkpoint", "200G", "--storage-reads", "1T")
    mine = needs("--servers", "16", "--frontend-ports", "2", *rates, *words)
    (found,) = candidates(mine, [design_of("rail-only")])
    told = {each.fabric: list(each.terms) for each in asked(mine, found.counts)}
    assert told == carriers
    assert all(each.up == found.counts[each.fabric].up for each in found.asked)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--servers", "0"), "0 servers"),
        (("--servers", "8", "--leaf-ratio", "0.9"), "a ratio of 0.9"),
        (("--servers", "8", "--growth", "0.5"), "growth by a factor of 0.5"),
        (("--servers", "8", "--nic-speed", "300G"), "7060X6-64PE has no ports of 300G"),
        (("--servers", "8", "--link-speed", "50G"), "no ports of 50G for links between switches"),
        (("--servers", "8", "--planes", "2"), "1 ports of a NIC cannot be divided over 2 planes"),
        (("--servers", "8", "--switch", "SN5601"), "switch 'SN5601' is not in the catalog"),
        (("--servers", "8", "--ingest", "1T"), "and there is none"),
        (("--servers", "8", "--storage-reads", "1T"), "need a storage fabric or a frontend"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence_and_a_way_out(
    words: tuple[str, ...], told: str
) -> None:
    with pytest.raises(Failure) as failure:
        judge(needs(*words))
    assert told in failure.value.diagnostic.message
    assert failure.value.diagnostic.hint


def test_a_speed_that_no_nic_has_is_refused() -> None:
    with pytest.raises(Failure, match="no NIC of the catalog"):
        candidates(needs("--servers", "8", "--nic-speed", "800G"))


def test_another_fabric_that_does_not_fit_is_said_once_for_all_designs() -> None:
    with pytest.raises(Failure, match="storage leafs"):
        candidates(needs("--servers", "2048", "--storage-servers", "4"))


def test_a_frontend_whose_switches_have_too_few_ports_says_so() -> None:
    words = ("--servers", "512", "--frontend-ports", "2")
    with pytest.raises(Failure, match="a spine has 32 of 100G"):
        candidates(needs(*words))


def test_collectives_take_what_their_bytes_need_at_line_rate() -> None:
    """NCCL's tests: 2 (n-1)/n of the data through the NICs of a server; (n-1)/n to all."""
    spent = times(servers=2, gpus=8, server_bits=8 * 400e9, data=10**9, ratio=1)
    assert spent.ring == pytest.approx(2 * 15 / 16 * 8e9 / 3.2e12 * 1000)
    assert spent.all_to_all == pytest.approx(8e9 * 8 / 16 / 400e9 * 1000)
    slow = times(servers=2, gpus=8, server_bits=8 * 400e9, data=10**9, ratio=3)
    assert slow.ring == spent.ring
    assert slow.all_to_all == pytest.approx(3 * spent.all_to_all)
    assert times(servers=1, gpus=8, server_bits=8 * 400e9, data=10**9, ratio=1).ring == 0


def test_a_leaf_whose_cages_all_go_to_spines_is_told_of_a_server_that_needs_one() -> None:
    """32 uplinks kept of 32 cages: refused with what a server would need, and with what fits."""
    asked = needs("--servers", "8", "--frontend-ports", "2")
    assert asked.frontend is not None
    full = replace(asked, frontend=replace(asked.frontend, spines=32))
    (first, *_) = designed(intent(full, None))[1]
    assert first.code == "FG201"
    assert "1 server ports need 1 cages" in first.message
    assert "growth.spines: 31" in first.hint


def test_a_transfer_takes_its_bits_by_its_seconds() -> None:
    one = Transfer(terabytes=450, hours=10, growth=2, wan=200 * 10**9)
    assert one.needed == 450 * 2 * 8e12 / 36_000 == 200e9
    assert one.fits
    assert not Transfer(terabytes=450, hours=9.99, growth=2, wan=200 * 10**9).fits
    assert Transfer(terabytes=450, hours=1, growth=1, wan=0).fits
    assert "need 10 h for it" in one.sentence

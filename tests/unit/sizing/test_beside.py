"""NVLink, Fibre Channel and out of band are counted beside the design that is chosen."""

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.core.diagnostics import Failure
from fabricgen.plan.sizing.beside import beside, judge_beside
from fabricgen.plan.sizing.candidates import candidate
from fabricgen.plan.sizing.designs import design_of


def told(*words: str) -> dict[str, tuple[int, int, int]]:
    mine = needs(*words)
    best = candidate(mine, design_of("rail-only"))
    found = beside(mine, best)
    return {each.name: (each.switches, each.links, each.transceivers) for each in found}


def test_out_of_band_has_a_port_for_each_server_and_switch() -> None:
    """40 servers and 8 leafs: 48 ports, one switch; a server more takes another."""
    assert told("--servers", "40") == {"out of band": (1, 48, 0)}
    assert told("--servers", "41") == {"out of band": (2, 49, 0)}


def test_domains_of_nvlink_have_nine_switches_for_72_gpus() -> None:
    found = told("--servers", "36", "--gpus", "4", "--nvlink", "72")
    assert found["NVLink"] == (2 * 9, 144 * 18, 0)


def test_fibre_channel_is_two_fabrics() -> None:
    storage = ("--servers", "8", "--storage-servers", "40", "--storage-switch", "7060X6-64PE")
    words = (*storage, "--fc-ports", "4")
    assert told(*words)["Fibre Channel"] == (2 * 2, 160, 320)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--nvlink", "8"), "no NVLink switches are known for domains of 8 GPUs"),
        (("--fc-ports", "2"), "there are none"),
        (("--fc-ports", "3", "--storage-servers", "4"), "3 ports cannot be divided"),
    ],
)
def test_what_cannot_be_counted_is_refused(words: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(Failure, match=wrong):
        judge_beside(needs("--servers", "8", *words))

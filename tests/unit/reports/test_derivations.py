"""How numbers were computed: each sentence is an equation, and what it says comes out."""

import re
from ipaddress import ip_address

import pytest
from tests.unit.reports.labs import SITES, designed

from fabricgen.compile.compiler import slices
from fabricgen.compile.reports.derivations import derivations

_STEP = re.compile(r"([+-]) (\d+) x \(\w+ (\d+) - 1\)")
_COMPUTED = {"loopback", "management address", "VTEP", "link address", "NIC address", "ASN"}
_TERM = re.compile(r"([+-]?) ?([\d,]+) \(")


def number(said: str) -> str:
    """Compute `10.0.0.1 + 2 x (number 3 - 1)`, up to the words that comment on it."""
    base, _, steps = re.split("[;,]", said.partition(" = ")[2])[0].partition(" ")
    total = int(base) if base.isdigit() else int(ip_address(base))
    for sign, step, place in _STEP.findall(steps):
        total += int(f"{sign}{step}") * (int(place) - 1)
    return str(total) if base.isdigit() else str(ip_address(total))


@pytest.mark.parametrize("name", SITES)
def test_an_equation_gives_the_number_it_is_about(name: str) -> None:
    kinds = set[str]()
    for fabric, switch_slice in slices(designed(name)):
        found = derivations(fabric, switch_slice)
        assert found[switch_slice.loopback.host].startswith("loopback = ")
        assert found[switch_slice.management.host].startswith("management address = ")
        for text, said in found.items():
            kind = said.partition(" = ")[0]
            kinds.add(kind)
            if kind in _COMPUTED:
                assert number(said) == text, said
    assert {"loopback", "management address", "ASN"} <= kinds


@pytest.mark.parametrize("name", SITES)
def test_the_terms_of_a_headroom_add_up(name: str) -> None:
    for fabric, switch_slice in slices(designed(name)):
        for said in derivations(fabric, switch_slice).values():
            for total, terms in re.findall(r"computed ([\d,]+) = ([^;]*)", said):
                added = sum(
                    int(number.replace(",", "")) * (-1 if sign == "-" else 1)
                    for sign, number in _TERM.findall(terms)
                )
                assert added == int(total.replace(",", "")), said

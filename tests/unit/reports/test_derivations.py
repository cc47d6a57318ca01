"""How numbers were computed: each sentence is an equation, and what it says comes out."""

from __future__ import annotations

import re
from ipaddress import ip_address

import pytest
from tests.unit.reports.labs import SITES, designed

from fabricgen.compiler import slices
from fabricgen.reports.derivations import derivations

_STEP = re.compile(r"([+-]) (\d+)")
_PRODUCT = re.compile(r"(\d+) x (?:[a-z]+) (\d+)")
_TERM = re.compile(r"([+-]?) ?([\d,]+) \(")
_PLACE = re.compile(r"\((\d+) x [a-z]+ (\d+) \+ (\d+)\)")


def right_side(said: str) -> str:
    """Return an equation's right side, up to the words that comment on it."""
    return said.partition(" = ")[2].partition(";")[0].partition(",")[0]


def address(said: str) -> str:
    """Compute `10.0.0.0 + leaf number 3`, `10.0.0.255 - 3 (2 x spine 1 + 1)`, `a + 4 (…) + 1`."""
    base, _, rest = right_side(said).partition(" ")
    total = int(ip_address(base))
    for sign, step in _STEP.findall(re.sub(r"\([^)]*\)|leaf number ", "", rest)):
        total += int(step) if sign == "+" else -int(step)
    return str(ip_address(total))


def asn(said: str) -> int:
    """Compute `4200000000 + leaf 3`, `4294967294 - (2 x spine 1 + 0)`, or one less a pod."""
    text = _PRODUCT.sub(lambda it: str(int(it[1]) * int(it[2])), right_side(said))
    numbers = list(map(int, re.findall(r"\d+", text)))
    return numbers[0] + sum(numbers[1:]) * (-1 if " - " in text else 1)


@pytest.mark.parametrize("name", SITES)
def test_an_equation_gives_the_number_it_is_about(name: str) -> None:
    kinds: dict[str, int] = {}
    for fabric, piece in slices(designed(name)):
        found = derivations(fabric, piece)
        assert found[piece.loopback.host].startswith("loopback = ")
        assert found[piece.management.host].startswith("management address = ")
        for number, said in found.items():
            kind = said.partition(" = ")[0]
            kinds[kind] = kinds.get(kind, 0) + 1
            if kind in ("loopback", "management address", "VTEP", "link address"):
                assert address(said) == number, said
                for factor, ordinal, more in _PLACE.findall(said):
                    total = int(factor) * int(ordinal) + int(more)
                    assert f"- {total} (" in said
            elif kind == "ASN":
                assert asn(said) == int(number), said
    assert {"loopback", "management address", "ASN"} <= kinds.keys()


@pytest.mark.parametrize("name", SITES)
def test_the_terms_of_a_headroom_add_up(name: str) -> None:
    for fabric, piece in slices(designed(name)):
        for said in derivations(fabric, piece).values():
            for total, terms in re.findall(r"computed ([\d,]+) = ([^;]*)", said):
                added = sum(
                    int(number.replace(",", "")) * (-1 if sign == "-" else 1)
                    for sign, number in _TERM.findall(terms)
                )
                assert added == int(total.replace(",", "")), said

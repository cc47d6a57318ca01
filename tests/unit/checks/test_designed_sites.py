"""From designed sites of every shape: that all checks pass, and each examines something."""

import pytest
from tests.unit.checks.sites import EVERY, cut, designed, run_checks

from fabricgen.compile.checks.registry import CHECKS, judged
from fabricgen.core.diagnostics import Code, Examined


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_is_green_and_every_check_examined_something(shape: str) -> None:
    site = designed(EVERY[shape])
    results = run_checks(site, cut(site))
    assert [finding for result in results for finding in result.findings] == []
    assert [result.check for result in results if not result.objects] == []


def test_checks_stand_in_the_order_of_their_codes_under_different_names() -> None:
    site = designed(EVERY["rail-only"])
    names = [kind.name for kind in CHECKS]
    assert len(set(names)) == len(names)
    assert names == [result.check for result in run_checks(site, cut(site))]


def test_without_slices_the_run_is_red_and_says_so() -> None:
    results = run_checks(designed(EVERY["rail-only"]), [])
    blind = [r.check for r in results if Code.NOTHING_EXAMINED in {f.code for f in r.findings}]
    red = [r.check for r in results if r.findings]
    assert {"addresses", "asns", "sessions", "links", "cables", "mtu", "mesh"} <= set(blind)
    assert {"coverage"} <= set(red)


def test_a_check_that_examined_nothing_is_an_error() -> None:
    result = judged(Examined(check="addresses", objects=0, noun="addresses", findings=()))
    assert [finding.code for finding in result.findings] == [Code.NOTHING_EXAMINED]
    assert "'addresses' examined no addresses" in result.findings[0].message


def test_a_check_that_examined_something_is_left_alone() -> None:
    result = Examined(check="addresses", objects=3, noun="addresses", findings=())
    assert judged(result) is result

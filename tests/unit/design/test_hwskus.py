"""A hwsku that is named has to be one of the model, on an OS that has such."""

from tests.unit.design.sites import R128, backend, intent, switches

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.intent.lift import lift

NAME = "Arista-7060X6-64PE-O128S2"


def said(platform: str, hwsku: str, *, onto: str | None = None) -> list[Diagnostic]:
    leaf = switches(R128, hwsku=hwsku) | {"platform": platform}
    words = intent(backend("rail-only", R128, 8, leaf=leaf))
    findings = design_site(lift(words, onto) if onto else words)[1]
    return [item for item in findings if item.path[-1:] == ("hwsku",)]


def test_one_of_the_model_is_taken() -> None:
    assert not said("sonic", NAME)


def test_one_that_the_model_lacks_is_refused_with_the_nearest() -> None:
    (told,) = said("sonic", NAME[:-1])
    assert (told.code, told.path) == (Code.UNKNOWN_REFERENCE, ("backend", "leaf", "hwsku"))
    assert NAME in told.hint


def test_on_an_os_without_hwskus_it_is_refused_and_left_out_where_the_design_is_lifted() -> None:
    (told,) = said("eos", NAME)
    assert told.code is Code.UNSUPPORTED
    assert not said("sonic", NAME, onto="eos")
    assert not said("sonic", NAME, onto="sonic:202505")
    assert said("sonic", "other", onto="sonic:202505")

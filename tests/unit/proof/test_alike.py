"""From a text that was read: which text another switch of its sort must have."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.unit.proof.test_written import READ_BACK, rendered

from fabricgen.core.tree.facts import NAME, Facts
from fabricgen.core.tree.grammar import Grammar
from fabricgen.nos.registry import nos
from fabricgen.nos.spelling import Place
from fabricgen.prove.alike import Alike, Form, Own
from fabricgen.prove.written import Judge, Proof

GRAMMAR = Grammar("""
name <name:own>      -> switch name=<name>
port <port>
  text <text:own>    -> port <port> text=<text>
  peer <name>        -> session <name> port=<port>
""")
TEXT = "name one\nport 1\n  text one to far\n  peer far\nport 2\n  text none\n"
WANTED: Facts = {
    ("switch",): {"name": "one"},
    ("port", "1"): {"text": "one to far"},
    ("port", "2"): {"text": "none"},
    ("session", "far"): {"port": "1"},
}
OWN = ["one", "one to far", "far"]
PLACES = [((("switch",), "name"),), ((("port", "1"), "text"),), ((("session", "far"), NAME),)]


def learned(own: list[str], text: str = TEXT) -> tuple[Own, Form]:
    values = Own(own, PLACES, WANTED)
    return values, values.form(text, GRAMMAR.spans(text, values.values))


def test_own_values_are_cut_out_where_they_are_read() -> None:
    values, form = learned(OWN)
    assert values.complete
    assert form.filled(OWN) == TEXT
    text = "name two\nport 1\n  text two to near\n  peer near\nport 2\n  text none\n"
    assert form.filled(["two", "two to near", "near"]) == text


def test_an_own_value_that_stands_nowhere_is_not_learned() -> None:
    values, _ = learned(OWN, TEXT.replace("name one\n", ""))
    assert not values.complete


def test_what_equals_an_own_value_elsewhere_stays() -> None:
    """A port is described by the word that is another switch's name: that is no own value."""
    text = TEXT.replace("text none", "text far")
    _, form = learned(OWN, text)
    assert "  text far\n" in form.filled(["two", "two to near", "near"])


def sort(own: list[str], places: Sequence[tuple[Place, ...]]) -> Alike:
    values = Own(own, places, WANTED)
    form = values.form(TEXT, GRAMMAR.spans(TEXT, values.values))
    return Alike(shape=(), forms={"file": form}, twins=values.twins, objects=values.objects)


def test_two_values_of_one_place_must_be_equal_on_all_switches_of_a_sort() -> None:
    """Two ports to one peer, where another switch has a peer behind each: not the same text."""
    alike = sort([*OWN, "far"], [*PLACES, PLACES[2]])
    assert alike.fits([*OWN, "far"], {"file": TEXT})
    text = TEXT.replace("peer far", "peer near")
    assert alike.fits(["one", "one to far", "near", "near"], {"file": text})
    assert not alike.fits(["one", "one to far", "near", "other"], {"file": text})
    assert not alike.fits(["one", "one to far", "other", "near"], {"file": text})


@pytest.mark.parametrize(
    "files",
    [{}, {"file": TEXT, "more": ""}, {"other": TEXT}, {"file": TEXT.replace("none", "some")}],
    ids=["none", "one more", "another", "another word"],
)
def test_other_files_do_not_fit(files: dict[str, str]) -> None:
    alike = sort(OWN, PLACES)
    assert alike.fits(OWN, {"file": TEXT})
    assert not alike.fits(OWN, files)


@pytest.mark.parametrize("platform", READ_BACK)
@pytest.mark.parametrize(("site", "sorts"), [("full", 9), ("tenants", 4)])
def test_of_each_sort_one_switch_is_read(
    platform: str, site: str, sorts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = nos(platform)
    assert runs.grammar is not None
    assert runs.names is not None
    judge, read = Judge(runs.grammar.load(), runs.names), set[str]()
    whole = judge.whole

    def counted(*args: Any) -> Proof:
        read.add(args[0].switch.name)
        return whole(*args)

    monkeypatch.setattr(judge, "whole", counted)
    every = rendered(site, platform).values()
    switches = [each for each in every if each[0].switch.fabric != "oob"]  # it stays on its own
    assert not any(judge.prove(*each).findings for each in switches)
    assert len(read) == sorts

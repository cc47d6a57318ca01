"""What switches answer, broken in random ways: a look or a refusal, never another exception.

Nothing is written, started or connected to by who reads it, and no answer is worked on for long.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile.breaking import broken_json, broken_text, fuzzed
from tests.hostile.guard import guarded
from tests.unit.nos.linux.test_traffic import LEAF as LOOK
from tests.unit.proof.state.lab import LEAF, RAIL, models, text
from tests.written.eos.eapi import output
from tests.written.eos.switches import written as written_eos
from tests.written.sonic.served import serving, written
from tests.written.sonic.site import BONDED, LOSSLESS

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.nos.eos.driver import health as eos
from fabricgen.nos.eos.show.reader import EOS
from fabricgen.nos.linux.driver.health import health_of as linux_health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.questions import Answer
from fabricgen.nos.shared.documents import SEPARATOR, VTYSH
from fabricgen.nos.sonic.driver import traffic as sonic
from fabricgen.nos.sonic.driver.health import health_of
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Subject
from fabricgen.prove.differences import compare
from fabricgen.prove.verifier import expectations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.written.eos.switches import Shown

    from fabricgen.nos.health import Health
    from fabricgen.prove.runs import Expected

    Reads = Callable[[str], object]

INTENT = Path(__file__).resolve().parents[2] / "intent"
BORDER = "fe-leaf05"


@cache
def sonic_answers(name: str) -> str:
    """Return what the script of health prints on a written SONiC switch."""
    switch = written(name, "202511")
    with serving() as served:
        given = served.answers(switch, sonic.COMMANDS)
    return printed(given)


def printed(given: Mapping[str, Answer]) -> str:
    """Return answers as one output of a script."""
    frr = "".join(f"sonic# {line}\n{given[line].text}" for line in VTYSH)
    texts = {key: each for key, each in given.items() if key not in VTYSH}
    return "".join(
        f"{each.text}\n{SEPARATOR}{key} {each.status}\n"
        for key, each in {**texts, "frr": Answer(frr)}.items()
    )


def verified(name: str) -> Reads:
    """Run the catalogue on what a SONiC switch says, as `verify` does."""

    def read(said: str) -> None:
        look = SONIC.read(said)
        subject = Subject(expected=written(name, "202511").expected, observed=look, before=look)
        results = run(catalogue(), subject, SONIC)
        assert all(str(each.sentence) for one in results for each in one.findings)

    return read


def compared(switch: str) -> Reads:
    """Compare what a Linux switch says with what it should, as `verify` does."""
    return lambda said: compare(models()[switch], LINUX.read(said))


def gated(sound: Callable[[], str], health_of: Callable[[str], Health]) -> Reads:
    """Judge a look by a sound one, and the other way round, as the gate of a push does."""

    def read(said: str) -> None:
        both(health_of(sound()), health_of(said))

    return read


def both(sound: Health, broken: Health) -> None:
    """Judge a change that ends in a broken look, and one that begins with it."""
    for before, after in ((sound, broken), (broken, sound), (broken, broken)):
        worse = judged({"leaf": before}, {"leaf": Outcome(after)}, None)
        assert all(isinstance(each, str) for each in worse.get("leaf", ()))


READERS: dict[str, tuple[Callable[[], str], Reads]] = {
    "a Linux leaf": (lambda: text(LEAF), compared(LEAF)),
    "a Linux leaf of a rail": (lambda: text(RAIL), compared(RAIL)),
    "health of a Linux leaf": (lambda: LOOK, gated(lambda: LOOK, linux_health)),
    "health of a SONiC leaf": (
        lambda: sonic_answers(BONDED),
        gated(lambda: sonic_answers(BONDED), health_of),
    ),
    "a SONiC leaf": (lambda: sonic_answers(BONDED), verified(BONDED)),
    "a lossless SONiC leaf": (lambda: sonic_answers(LOSSLESS), verified(LOSSLESS)),
}


@cache
def documents(of: str) -> list[tuple[int, int, Any]]:
    """Return where the JSON documents of a look stand, and what they say."""
    output = READERS[of][0]()
    found, end = [], 0
    for match in re.finditer(r"(?m)^[\[{]", output):
        if match.start() >= end:
            try:
                value, end = json.JSONDecoder().raw_decode(output, match.start())
            except ValueError:
                continue
            if value:
                found.append((match.start(), end, value))
    return found


@st.composite
def looks(draw: st.DrawFn, of: str) -> str:
    """Draw a look whose text is broken anywhere, or of which one document says something else."""
    output = READERS[of][0]()
    if draw(st.booleans()):
        return draw(broken_text(output))
    begin, end, value = draw(st.sampled_from(documents(of)))
    return output[:begin] + draw(broken_json(value)) + output[end:]


@fuzzed
@given(data=st.data())
def test_answers_of_vtysh(data: st.DataObject) -> None:
    """And of lldpcli, ip, tc and SONiC's programs, which stand in the same output."""
    of = data.draw(st.sampled_from(sorted(READERS)))
    said = data.draw(looks(of))
    with guarded():
        READERS[of][1](said)


@cache
def eos_site() -> tuple[Expected, Shown]:
    """Return the expected state of an EOS border leaf with zones, and its written answers."""
    compiled = compile_site(load_site(INTENT / "full"))
    assert compiled.site is not None
    fabric = next(each for each in compiled.site.fabrics if each.name == "frontend")
    there = [switch.name for switch in fabric.topology.switches]
    return expectations(compiled.site, there)[BORDER], written_eos(compiled.site)[BORDER]


def eapi_output(answers: Mapping[str, Any]) -> str:
    """Return what the driver returns of the sound answers with some others."""
    wanted, shown = eos_site()
    return output({**shown, **answers}, EOS.request(wanted.facts))


def read_eos(said: str) -> None:
    """Compare, check, and judge as the gate of a push does."""
    wanted, sound = eos_site()
    seen = EOS.read(said)
    compare(wanted, seen)
    for before in (None, seen):
        run(catalogue(), Subject(expected=wanted, observed=seen, before=before), EOS)
    both(eos.health_of(output(sound, eos.REQUEST)), eos.health_of(said))


@fuzzed
@given(data=st.data())
def test_answers_of_eapi(data: st.DataObject) -> None:
    """Up to three of the commands are answered in other shapes, or the text is broken anywhere."""
    _, shown = eos_site()
    broken = data.draw(st.lists(st.sampled_from(sorted(shown)), min_size=1, max_size=3))
    answers = {
        command: json.loads(data.draw(broken_json(shown[command])))
        if isinstance(shown[command], dict)
        else data.draw(broken_text(shown[command]))
        for command in broken
    }
    said = eapi_output(answers)
    if data.draw(st.booleans()):
        said = data.draw(broken_text(said))
    with guarded():
        read_eos(said)


HOSTILE = {
    "nothing": "",
    "no object": "[1, 2]",
    "a word for each": json.dumps(dict.fromkeys(("version", "interfaces", "bgp"), "word")),
    "a number for each": json.dumps(dict.fromkeys(("version", "interfaces", "bgp"), 7)),
    "deep": '{"interfaces": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep text": json.dumps({"interfaces": "[" * 100_000}),
    "megabytes": json.dumps(
        {"lldp": {"lldpNeighbors": {f"Ethernet{n}": {} for n in range(99_999)}}}
    ),
    "a range": json.dumps(
        {
            "switchports": {
                "switchports": {
                    "Ethernet1/1": {
                        "switchportInfo": {
                            "mode": "trunk",
                            "trunkingNativeVlanId": 1,
                            "trunkAllowedVlans": "1-99999999999",
                        }
                    }
                }
            }
        }
    ),
    "braces": json.dumps({"sessions": {"sessions": {"{0}{x}": {"state": "pending"}}}}),
    "errors of another shape": json.dumps({"bgp": {"errors": [None, 7, {"a": 1}]}}),
}


@pytest.mark.parametrize("said", HOSTILE.values(), ids=HOSTILE)
def test_hostile_answers_of_eapi_end_no_look(said: str) -> None:
    with guarded():
        read_eos(said)


def test_a_message_has_no_control_character_of_a_switch() -> None:
    """A terminal obeys escapes, also in the name of a neighbor or of a session."""
    wanted, _ = eos_site()
    bell = "\x1b]0;x\x07\u009b2J"
    neighbor = {"systemName": bell, "neighborInterfaceInfo": {"interfaceId": bell}}
    said = eapi_output(
        {
            "show lldp neighbors detail": {
                "lldpNeighbors": {"Ethernet29/1": {"lldpNeighborInfo": [neighbor]}}
            },
            "show configuration sessions detail": {"sessions": {bell: {"state": "pending"}}},
            "show running-config diffs": f"+{bell}",
            "show hostname": {"errors": [bell]},
        }
    )
    seen = EOS.read(said)
    messages = [each.sentence for each in compare(wanted, seen)] + list(seen.unread.values())
    assert any("session" in each for each in messages)
    assert all(each.isprintable() for each in messages)


ODD_SHAPES = {
    "a port without its state": ('"Ethernet0":["up","up",', '"Ethernet0":["up",', "interfaces"),
    "an address that is a word": ("Ethernet0:fe80::1", "Ethernet0:word", "IP addresses"),
    "routes that are a word": ('"acceptedPrefixCounter": 5', '"acceptedPrefixCounter": "x"', "BGP"),
    "a VNI that is nothing": ('[\n  {\n    "vni": 10110', '[null, {"vni": 10110', "VNIs"),
    "a queue that is no number": ('"Ethernet0:0":[', '"Ethernet0:x":[', "QoS maps"),
}


@pytest.mark.parametrize(("old", "new", "unread"), ODD_SHAPES.values(), ids=ODD_SHAPES)
def test_what_has_another_shape_is_unread_and_ends_no_look(old: str, new: str, unread: str) -> None:
    """Each was once an exception, or worse, in the gate of a push."""
    said = sonic_answers(BONDED)
    assert old in said
    assert not any(each.startswith(unread) for each in health_of(said).unread)
    with guarded():
        assert any(each.startswith(unread) for each in health_of(said.replace(old, new, 1)).unread)


def test_what_is_no_text_is_compared_as_one() -> None:
    """A sentence about it was once a traceback of `verify`."""
    said = text(LEAF)
    assert '"importRTs":[' in said
    with guarded():
        found = compare(
            models()[LEAF], LINUX.read(said.replace('"importRTs":[', '"importRTs":[null,', 1))
        )
    assert any("None" in str(each) for each in found)

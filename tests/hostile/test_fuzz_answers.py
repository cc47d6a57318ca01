"""What switches answer, broken in random ways: a look or a refusal, never another exception.

Nothing is written, started or connected to by who reads it, and no answer is worked on for long.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.deploy.eapi.test_health import SHOWN
from tests.deploy.sonic import test_reading as sonic_says
from tests.hostile.breaking import broken_json, broken_text, fuzzed
from tests.hostile.guard import guarded
from tests.unit.nos.linux.test_traffic import LEAF as LOOK
from tests.unit.proof.state.lab import LEAF, RAIL, models, text

from fabricgen.nos.eos.driver import health as eos
from fabricgen.nos.linux.driver.health import health_of as linux_health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.shared.documents import SEPARATOR
from fabricgen.nos.sonic.driver.health import COMMANDS, health_of
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.prove.differences import compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.nos.health import Health

    Reads = Callable[[str], object]


@cache
def sonic_look() -> str:
    """Return what the script prints on a SONiC switch."""
    answers = {
        "tables": json.dumps({"BUFFER_PG": {"Ethernet0|3-4": {"profile": "lossless"}}}),
        "sessions": json.dumps(sonic_says.PEERS),
        "bfd": "[]",
        "lldp": json.dumps(sonic_says.NEIGHBORS),
        "counters": sonic_says.counted(),
        "storms": sonic_says.STORMS,
        "vnis": json.dumps(sonic_says.VNIS),
        "bundles": sonic_says.BUNDLES,
    }
    return "".join(f"{answers.get(key, '')}\n{SEPARATOR}{key} 0\n" for key in COMMANDS)


def compared(switch: str) -> Reads:
    """Compare what a Linux switch says with what it should, as `verify` does."""
    return lambda said: compare(models()[switch], LINUX.parse(said))


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
    "health of a SONiC switch": (sonic_look, gated(sonic_look, health_of)),
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


@fuzzed
@given(data=st.data())
def test_answers_of_eapi(data: st.DataObject) -> None:
    """Up to three of the commands are answered in other shapes."""
    broken = data.draw(st.lists(st.sampled_from(sorted(SHOWN)), min_size=1, max_size=3))
    answers = {command: json.loads(data.draw(broken_json(SHOWN[command]))) for command in broken}

    def run(commands: list[Any]) -> list[Any]:
        command = command_of(commands)
        return [answers.get(command, SHOWN[command])]

    with guarded():
        both(eos.look(lambda asked: [SHOWN[command_of(asked)]]), eos.look(run))


def command_of(asked: list[Any]) -> str:
    (one,) = asked
    return str(one["cmd"] if isinstance(one, dict) else one)


ODD_SHAPES = {
    "a port without its state": ('["up", "up"]', '["up"]', "links and counters"),
    "a counter that is nothing": ('"1204"', "null", "links and counters"),
    "routes that are a word": ('"acceptedPrefixCounter": 9', '"acceptedPrefixCounter": "x"', "BGP"),
    "a VNI that is nothing": ('[{"vni": 10010', '[null, {"vni": 10010', "VNIs"),
    "a range that would fill the memory": ("|3-4", "|3-99999999999", "drops of lossless classes"),
}


@pytest.mark.parametrize(("old", "new", "unread"), ODD_SHAPES.values(), ids=ODD_SHAPES)
def test_what_has_another_shape_is_unread_and_ends_no_look(old: str, new: str, unread: str) -> None:
    """Each was once an exception, or worse, in the gate of a push."""
    said = sonic_look()
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
            models()[LEAF], LINUX.parse(said.replace('"importRTs":[', '"importRTs":[null,', 1))
        )
    assert any("None" in str(each) for each in found)

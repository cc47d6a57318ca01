"""Cages of a switch: banks from both ends, what one cage gives, and the speed two models share."""

import pytest

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.model.catalog.cages import Cage, Mode
from fabricgen.model.catalog.switches import SwitchModel

SPEED = BitsPerSecond.parse
HERE = ("backend", "leaf")


def model(modes: str, cages: int = 6, name: str = "Box-9") -> SwitchModel:
    """Return a model of cages of 8 lanes with these modes, and one service cage at the end."""
    parts = [mode.split("x") for mode in modes.split()]
    made = tuple(Mode(int(count), SPEED(speed), 8 // int(count)) for count, speed in parts)
    usable = [Cage(number=n, lanes=8, modes=made, service=False) for n in range(1, cages + 1)]
    service = Cage(number=cages + 1, lanes=1, modes=(Mode(1, SPEED("10G"), 1),), service=True)
    return SwitchModel(
        name=name, vendor="", asic="", chip=None, source="", cages=(*usable, service), platforms={}
    )


BOX = model("1x800G 2x400G 8x100G")
WORDS = FabricWords.model_construct(kind="rails")


def test_banks_fill_from_both_ends_and_what_is_left_stays_native() -> None:
    plate = faceplate(BOX, Bank(SPEED("400G"), 2, 2), Bank(SPEED("800G"), 1, 3))
    down, up = plate.down, plate.up
    assert [port.label for port in down] == ["1/1", "1/2", "2/1", "2/2"]
    assert [port.label for port in up] == ["4", "5", "6"]
    assert [port.label for port in plate.ports] == [
        *("1/1", "1/2", "2/1", "2/2", "3", "4", "5", "6", "7"),
    ]
    assert [(port.lane, port.lanes, str(port.speed)) for port in down[:2]] == [
        (0, 4, "400G"),
        (4, 4, "400G"),
    ]
    assert [port.service for port in plate.ports] == [False] * 8 + [True]


def test_without_a_bank_there_are_no_ports_for_that_side() -> None:
    bank = Bank(SPEED("100G"), 8, 6)
    below, above = faceplate(BOX, bank, None), faceplate(BOX, None, bank)
    assert (len(below.down), below.up) == (48, ())
    assert (above.down, len(above.up)) == ((), 48)
    assert [port.lane for port in below.down[:8]] == list(range(8))
    assert len(faceplate(BOX, None, None).ports) == 7


@pytest.mark.parametrize(
    ("speed", "breakout", "each"),
    [("800G", None, 1), ("400G", None, 2), ("100G", None, 8), ("400G", "2x400G", 2)],
)
def test_a_cage_gives_its_ports_of_a_speed(speed: str, breakout: str | None, each: int) -> None:
    assert per_cage(BOX, SPEED(speed), HERE, Findings(), breakout) == each


@pytest.mark.parametrize(
    ("speed", "breakout", "said"),
    [
        ("200G", None, "Box-9 has no 200G ports; it has 1x800G, 2x400G, 8x100G"),
        ("10G", None, "Box-9 has no 10G ports; it has 1x800G, 2x400G, 8x100G"),
        (
            "400G",
            "8x100G",
            "the breakout 8x100G does not provide the 400G ports that are needed here",
        ),
        ("400G", "1x400G", "Box-9 has no mode 1x400G; it has 1x800G, 2x400G, 8x100G"),
    ],
)
def test_a_speed_that_a_cage_has_not_stops_the_design(
    speed: str, breakout: str | None, said: str
) -> None:
    findings = Findings()
    with pytest.raises(Stop):
        per_cage(BOX, SPEED(speed), HERE, findings, breakout)
    (finding,) = findings.items
    assert (finding.code, finding.path) == (Code.SPEED_NOT_ON_MODEL, HERE)
    assert finding.message == said


def test_links_have_the_wish_or_the_fastest_speed_of_both() -> None:
    other = model("2x400G 8x100G", name="Box-4")
    assert str(common_speed(BOX, other, None, HERE, Findings())) == "400G"
    assert str(common_speed(BOX, other, SPEED("100G"), HERE, Findings())) == "100G"
    assert str(common_speed(BOX, BOX, None, HERE, Findings())) == "800G"


@pytest.mark.parametrize(
    ("modes", "wish", "said"),
    [
        ("2x400G", "800G", "Box-9 and Box-4 do not both have 800G links; in common: 400G"),
        ("4x200G", None, "Box-9 and Box-4 do not both have a common link speed; in common: none"),
    ],
)
def test_models_without_a_common_speed_stop_the_design(
    modes: str, wish: str | None, said: str
) -> None:
    findings = Findings()
    wanted = SPEED(wish) if wish else None
    with pytest.raises(Stop):
        common_speed(BOX, model(modes, name="Box-4"), wanted, HERE, findings)
    (finding,) = findings.items
    assert (finding.code, finding.message) == (Code.SPEED_NOT_ON_MODEL, said)


def test_a_model_that_nobody_knows_stops_the_design() -> None:
    findings = Findings()
    assert find_model(WORDS, "SN5600", HERE, findings).name == "SN5600"
    with pytest.raises(Stop):
        find_model(WORDS, "SN56000", HERE, findings)
    (finding,) = findings.items
    assert (finding.code, finding.path) == (Code.UNKNOWN_REFERENCE, HERE)
    assert finding.hint == "did you mean 'SN5600'?"

"""Linux: what the files say of one port's marking and MTU names the lines that say it."""

import pytest
from tests.nos.linux.switches import LINUX, Rendered, switch

from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.model.fabric.qos import Kind
from fabricgen.nos.linux.readback.queues import INSTEAD, told

LEAF = "be-su01-leaf1"
NOTHING = PortTold(instead=INSTEAD)


def first(item: Rendered) -> tuple[str, Interface]:
    """Return the first port with a cable, by its name too."""
    own = next(each for each in item.switch_slice.interfaces if each.use is not Use.UNUSED)
    return LINUX.port_name(item.switch_slice.switch.model, own.port), own


def read(item: Rendered, kind: Kind, port: str | None = None, without: str = "\0") -> PortTold:
    assert item.switch_slice.qos is not None
    (own,) = (each for each in item.switch_slice.qos.classes if each.kind is kind)
    files = {
        path: "".join(line for line in text.splitlines(keepends=True) if without not in line)
        for path, text in item.files.items()
    }
    model = item.switch_slice.switch.model
    return told(model, files, first(item)[0] if port is None else port, own)


@pytest.mark.parametrize("site", ["numbered", "asic", "storage"])
def test_the_numbers_are_those_of_the_design_and_each_line_is_in_the_file(site: str) -> None:
    item = switch(site, LEAF)
    name, port = first(item)
    assert item.switch_slice.qos is not None
    marked = [each for each in item.switch_slice.qos.classes if each.marking]
    assert marked
    for each in marked:
        assert each.marking is not None
        plan, found = each.marking[port.port.speed], read(item, each.kind)
        assert (found.minimum, found.maximum, found.percent) == tuple(
            MemoryValue(int(number), found.minimum.lines if found.minimum else ())
            for number in (plan.minimum, plan.maximum, plan.probability)
        )
        assert found.minimum is not None
        (line,) = found.minimum.lines
        path, _, text = line.partition(": ")
        assert path == "etc/fabricgen/tc.batch"
        assert text in item.files[path].splitlines()
        assert f" dev {name} " in text
        assert f" red limit {4 * plan.maximum} min {plan.minimum} max {plan.maximum} " in text
        assert found.mtu == MemoryValue(9214, (f"etc/network/interfaces: {name}",))
        assert (found.instead, found.headroom, found.pause) == (INSTEAD, None, None)


@pytest.mark.parametrize(
    ("kind", "port", "without"),
    [
        (Kind.BEST_EFFORT, None, "\0"),
        (Kind.CONTROL, None, "\0"),
        (Kind.LOSSLESS, "swp99", "\0"),
        (Kind.LOSSLESS, None, " red "),
        (Kind.LOSSLESS, None, " protocol ip "),
    ],
)
def test_without_marks_nothing_is_told(kind: Kind, port: str | None, without: str) -> None:
    """Of a class that has none, of a port that is not there, and where a line is missing."""
    assert read(switch("numbered", LEAF), kind, port, without) == NOTHING

"""Lines are put into a long section by an index: few of its lines are compared with a new one."""

import pytest

from fabricgen.core.tree import outline
from fabricgen.core.tree.outline import OutlineSyntax

MANNER = OutlineSyntax(step=3, comment="!", separator="!")


def compared(lines: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many pairs of lines are compared where each new line has one that it shortens."""
    count = 0
    true = outline._abbreviates

    def counted(own: str, other: str) -> bool:
        nonlocal count
        count += 1
        return true(own, other)

    there = "".join(f"ip route 10.0.{each}.0/24 Null0\n" for each in range(lines))
    more = "".join(f"ip rout 10.0.{each}.0/24 Null0\n" for each in range(lines))
    with monkeypatch.context() as patch:
        patch.setattr(outline, "_abbreviates", counted)
        own = outline.written(more, MANNER, "people")
        clashes = list(outline.put(own, outline.outline(there, MANNER), MANNER))
    assert [(each.why, each.certain) for each in clashes] == [("abbreviates", False)] * lines
    assert all(each.own.text.split()[2] == each.other.text.split()[2] for each in clashes)
    return count


def test_comparisons_grow_with_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (compared(20, monkeypatch), compared(200, monkeypatch)) == (20, 200)


def test_the_first_line_that_clashes_is_named_and_a_certain_one_before_it() -> None:
    there = "ip rout a b\nno ip route a\nip route a b\nip route a c\n"
    root = outline.outline(there, MANNER)
    clash = next(outline.put(outline.written("ip route a d\n", MANNER, "p"), root, MANNER))
    assert (clash.other.text, clash.certain) == ("no ip route a", True)
    root = outline.outline(there.replace("no ip route a\n", ""), MANNER)
    clash = next(outline.put(outline.written("ip route a d\n", MANNER, "p"), root, MANNER))
    assert (clash.other.text, clash.why) == ("ip route a b", "contradicts")

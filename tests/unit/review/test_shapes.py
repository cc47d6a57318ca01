"""Changed sections become templates; values that differ become placeholders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.review.shapes import Place, Shaper, Unit, changed_sections, merged, places_of

DATABASE = """\
{
    "PORT": {
        "Ethernet0": {
            "admin_status": "down",
            "mtu": "9100"
        },
        "Ethernet4": {
            "mtu": "9100"
        }
    },
    "VLAN": {
        "Vlan10": {}
    }
}
"""
PORTS = """\
hostname a
!
interface Ethernet1
   mtu 9100
   shutdown
!
interface Ethernet2
   mtu 9100
!
end
"""


def units(old: str, new: str, *names: str) -> list[Unit]:
    return [*Shaper(names).units("f", old, new)]


def test_a_changed_line_is_shown_in_its_section() -> None:
    found = [*changed_sections(PORTS, PORTS.replace("   shutdown\n", ""))]
    assert found == [(("interface Ethernet1",), ("shutdown",), (), False)]


def test_a_new_section_is_one_unit_with_its_lines() -> None:
    new = PORTS.replace("!\nend", "!\nvlan 10\n   name a\n!\nend")
    assert [*changed_sections(PORTS, new)] == [(("vlan 10",), (), ("name a",), True)]


def test_a_new_line_without_lines_below_is_no_section() -> None:
    assert [*changed_sections("a\n", "a\nntp server 10.0.0.1\n")] == [
        ((), (), ("ntp server 10.0.0.1",), False)
    ]


def test_lines_that_begin_alike_are_one_unit_for_each_value() -> None:
    old = "router bgp 1\n   router-id 1.1.1.1\n"
    new = old + "".join(
        f"   neighbor {peer} remote-as 2\n   neighbor {peer} bfd\n"
        for peer in ("10.0.0.1", "10.0.0.2")
    )
    found = [lines for _, _, lines, _ in changed_sections(old, new)]
    assert found == [
        ("neighbor 10.0.0.1 remote-as 2", "neighbor 10.0.0.1 bfd"),
        ("neighbor 10.0.0.2 remote-as 2", "neighbor 10.0.0.2 bfd"),
    ]
    assert len({unit.template for unit in units(old, new)}) == 1


def test_a_field_of_a_database_is_shown_with_table_and_key() -> None:
    new = DATABASE.replace('"admin_status": "down",\n            "mtu": "9100"', '"mtu": "9214"')
    assert [*changed_sections(DATABASE, new)] == [
        (("PORT", "Ethernet0"), ("admin_status: down", "mtu: 9100"), ("mtu: 9214",), False)
    ]


def test_a_new_entry_of_a_database_is_one_unit_also_without_fields() -> None:
    new = DATABASE.replace('"Vlan10": {}', '"Vlan10": {},\n        "Vlan20": {}')
    (found,) = changed_sections(DATABASE, new)
    assert (found[0], found[3]) == (("VLAN", "Vlan20"), True)


def test_only_order_is_a_unit_of_its_own() -> None:
    (unit,) = units("a\nb\n", "b\na\n")
    assert unit.template.added == ("only the order of lines, comments or blanks differ",)


def test_units_share_a_template_if_only_values_differ() -> None:
    new = PORTS.replace("mtu 9100", "mtu 9214")
    one, other = units(PORTS, new)
    assert one.template == other.template
    assert (one.values, other.values) == (
        ("Ethernet1", "9100", "9214"),
        ("Ethernet2", "9100", "9214"),
    )


def test_equal_values_have_one_placeholder_so_that_equality_is_part_of_the_template() -> None:
    (same,) = units("a\n", "a\nx 10.0.0.1 y 10.0.0.1\n")
    (other,) = units("a\n", "a\nx 10.0.0.1 y 10.0.0.2\n")
    assert same.template != other.template


def test_the_order_of_numbers_is_known() -> None:
    (more,) = units("limit 10\n", "limit 20\n")
    (less,) = units("limit 20\n", "limit 10\n")
    assert more.template == less.template
    assert (more.rises, less.rises) == ((1,), (-1,))


def test_names_of_devices_are_values_also_without_a_digit() -> None:
    one, other = (
        units("x\n", f"x\ndescription to {name}\n", "isp", "core")[0] for name in ("isp", "core")
    )
    assert one.template == other.template


def test_values_that_all_places_share_are_text_and_the_others_a_table() -> None:
    one, other = units(PORTS, PORTS.replace("mtu 9100", "mtu 9214"))
    shape = merged(one.template, [("a", one.values), ("b", other.values)])
    assert (shape.place, shape.removed, shape.added) == (
        ("interface {1}",),
        ("mtu 9100",),
        ("mtu 9214",),
    )
    assert shape.rows == (("a", "Ethernet1"), ("b", "Ethernet2"))


def test_columns_with_equal_values_are_one() -> None:
    one, other = (units("x\n", f"x\np {n} q {n + 10}\nr {n}\n") for n in (1, 2))
    shape = merged(one[0].template, [("a", one[0].values), ("b", other[0].values)])
    assert len(shape.rows[0]) == 3


def test_braces_of_a_file_are_no_placeholders() -> None:
    (unit,) = units("x\n", "x\nset {1} 5\n")
    assert merged(unit.template, [("a", unit.values)]).added == ("set (1) 5",)


def test_each_line_has_its_sections() -> None:
    assert places_of(DATABASE)[4] == ("PORT", "Ethernet0", "admin_status: down")
    assert places_of(PORTS)[4] == ("interface Ethernet1", "mtu 9100")


LINES = st.sampled_from(
    ["interface A{n}", "vlan {n}", "ntp {n}", "   mtu {n}", "   shutdown", "      x {n}", "!"]
)
TEXTS = st.lists(st.tuples(LINES, st.integers(1, 9)), max_size=12).map(
    lambda rows: "".join(f"{line.format(n=n)}\n" for line, n in rows)
)


@given(TEXTS, TEXTS)
def test_a_template_filled_with_its_values_is_the_changed_text(old: str, new: str) -> None:
    for change, unit in zip(changed_sections(old, new), units(old, new), strict=False):
        shape = merged(unit.template, [("a", unit.values)])
        assert (shape.place, shape.removed, shape.added) == change[:3]


@given(TEXTS, TEXTS)
def test_the_way_back_swaps_removed_and_added(old: str, new: str) -> None:
    there = {(place, removed, added) for place, removed, added, _ in changed_sections(old, new)}
    back = {(place, added, removed) for place, removed, added, _ in changed_sections(new, old)}

    def lines(units: set[tuple[Place, Place, Place]]) -> set[tuple[str, ...]]:
        return {(*place, sign, line.strip()) for place, *sides in units
                for sign, side in zip("-+", sides, strict=True) for line in side}  # fmt: skip

    assert lines(there) == lines(back)


@pytest.mark.parametrize("text", ["", "\n", "!\n", "{\n}\n"])
def test_a_text_without_lines_has_no_sections(text: str) -> None:
    assert [*changed_sections(text, text)] == []
    assert places_of(text) == {}

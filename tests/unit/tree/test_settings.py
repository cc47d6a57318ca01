"""Texts of configuration files: what of them is a setting, and what does not bear on a device."""

from fabricgen.core.tree.settings import ini, lines, script, sections, tables


def test_a_line_stands_below_the_lines_around_it() -> None:
    text = "interface Ethernet1\n   mtu 9214\n   ip address 10.0.0.1/31\nhostname leaf1\n"
    assert list(sections(text)) == [
        ("interface Ethernet1",),
        ("interface Ethernet1", "mtu 9214"),
        ("interface Ethernet1", "ip address 10.0.0.1/31"),
        ("hostname leaf1",),
    ]


def test_a_section_ends_where_a_line_stands_as_far_left() -> None:
    text = "a\n b\n  c\n d\ne\n"
    assert list(sections(text)) == [("a",), ("a", "b"), ("a", "b", "c"), ("a", "d"), ("e",)]


def test_comments_blank_lines_and_end_marks_are_no_settings() -> None:
    text = "! one\n\na\n # two\n b\n ; three\n exit\n   \nend\n"
    assert list(sections(text, ends=frozenset({"exit", "end"}))) == [("a",), ("a", "b")]


def test_a_line_may_stand_for_several_settings() -> None:
    def fold(line: str) -> list[tuple[str, ...]]:
        word, _, rest = line.partition(" ")
        return [(word, part) for part in rest.split(",")] if rest else [(word,)]

    assert list(sections("vlan 1,2\nx\n", fold=fold)) == [
        ("vlan",),
        ("vlan", "1"),
        ("vlan", "2"),
        ("x",),
    ]


def test_a_banner_is_one_setting_whatever_stands_in_it() -> None:
    text = "banner login\n! keep out\n\nEOF\nhostname a\n"
    assert list(sections(text)) == [("banner login\n! keep out\n",), ("hostname a",)]


def test_a_table_a_key_and_a_field_are_a_path() -> None:
    assert tables('{"VLAN": {"Vlan7": {"vlanid": "7", "members": [1]}}}') == {
        ("VLAN", "Vlan7"): "",
        ("VLAN", "Vlan7", "vlanid"): "7",
        ("VLAN", "Vlan7", "members"): "[1]",
    }
    assert tables("") == {}


def test_a_text_that_is_no_database_is_one_setting() -> None:
    for text in ("{", "[]", '{"VLAN": 7}'):
        assert tables(text) == {("unreadable",): text}


def test_lines_have_no_order_and_no_sections() -> None:
    assert lines("# c\nb\n  a\n\n") == {("b",): "", ("a",): ""}


def test_a_script_is_one_setting_without_its_comments() -> None:
    assert script("#!/bin/sh\n# why\n  # and why\na\n\n  b\n") == {("script",): "#!/bin/sh\na\n  b"}
    assert script("# nothing\n\n") == {}


def test_a_section_that_comes_twice_is_two_settings_of_sorted_lines() -> None:
    text = "[Match]\nName=eth0\n[Route]\nTo=a\nBy=b\n[Route]\nTo=c\n"
    assert ini(text) == {
        ("[Match]",): "",
        ("[Match]", "Name=eth0"): "",
        ("[Route]",): "",
        ("[Route]", "By=b To=a"): "",
        ("[Route]", "To=c"): "",
    }
    assert ini("Name=eth0\n") == {}

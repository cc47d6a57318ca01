"""Saved configurations as a side: switches by their host names, and only what can be compared."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.reach.engines import files
from tests.unit.review.test_trees import written

from fabricgen.compile.output.manifest import FILE
from fabricgen.nos.shared.hiding import hiding
from fabricgen.nos.sonic.hiding import hide
from fabricgen.review.sides import read_sides

EOS, DB, FRR = "eos.cfg", "config_db.json", "frr.conf"
LEAF = "backend/be-su01-leaf1"
Edit = Callable[[str], str]


def rendered(platform: str) -> dict[str, dict[str, str]]:
    """Return the files of the switches of the lab by name."""
    every = files("lab", platform)
    return {owner.name: dict(own) for owner, own in every if hasattr(owner, "platform")}


def tree(place: Path, platform: str) -> str:
    """Write the lab as a rendered tree, with a file that no saved configuration has."""
    named = {f"backend/{name}": own for name, own in rendered(platform).items()}
    return written(
        place,
        {f"{folder}/{path}": text for folder, own in named.items() for path, text in own.items()}
        | {f"{folder}/extra.sh": "exit\n" for folder in named}
        | {"hosts/gpu0001/netplan.yaml": "network:\n"},
    )


def saved(place: Path, texts: dict[str, str]) -> str:
    for path, text in texts.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    return str(place)


def shown(text: str) -> str:
    """Return what `show running-config` prints: a header, no defaults, an end."""
    rows = [row for row in text.splitlines() if row.strip() not in DEFAULTS]
    return "! Command: show running-config\n! device: x (EOS)\n!\n" + "\n".join(rows) + "\nend\n"


DEFAULTS = {"lldp run", "switchport", "switchport mode access"}


def test_a_saved_switch_has_the_folder_of_its_host_name(tmp_path: Path) -> None:
    own = rendered("eos")["be-su01-leaf1"][EOS]
    new = own.replace("router bgp", "ntp server 10.9.9.9\nrouter bgp", 1)
    place = saved(tmp_path / "s", {"any-name.cfg": shown(new)})
    before, after = read_sides(place, tree(tmp_path / "t", "eos"))
    assert before.tree.keys() == after.tree.keys() == {LEAF}
    lines = [set(side.files[f"{LEAF}/{EOS}"].splitlines()) for side in (before, after)]
    assert lines[0] ^ lines[1] == {"ntp server 10.9.9.9"}


def test_the_order_of_the_sides_is_that_of_the_command(tmp_path: Path) -> None:
    place = saved(tmp_path / "s", {"a.cfg": rendered("eos")["be-su01-leaf1"][EOS]})
    sides = read_sides(tree(tmp_path / "t", "eos"), place)
    assert [side.name for side in sides] == [str(tmp_path / "t"), place]
    assert sides[1].notes


def test_what_is_not_compared_is_a_note(tmp_path: Path) -> None:
    place = saved(tmp_path / "s", {"a.cfg": rendered("eos")["be-su01-leaf1"][EOS]})
    _, after = read_sides(place, tree(tmp_path / "t", "eos"))
    assert f"{LEAF}/extra.sh" not in after.files
    notes = "\n".join(after.notes)
    assert "files that were not saved are not compared: extra.sh (1 switch)" in notes
    assert "without a saved configuration are not compared: backend/" in notes
    assert "1 server without a saved configuration" in notes
    assert "secrets" in notes


def test_routing_that_was_not_saved_is_not_removed(tmp_path: Path) -> None:
    """`config_db.json` alone: the layout does not count."""
    text = rendered("sonic")["be-su01-leaf1"][DB]
    place = saved(tmp_path / "s", {"leaf/config_db.json": json.dumps(json.loads(text))})
    before, after = read_sides(place, tree(tmp_path / "t", "sonic"))
    assert set(before.files) == set(after.files) == {f"{LEAF}/{DB}"}
    assert before.files[f"{LEAF}/{DB}"] == after.files[f"{LEAF}/{DB}"]
    assert "extra.sh (1 switch), frr.conf (1 switch)" in "\n".join(before.notes)


def test_saved_routing_is_compared_in_one_layout(tmp_path: Path) -> None:
    own = rendered("sonic")["be-su01-leaf1"]
    flat = own[FRR].replace("\n  ", "\n ") + "!\n! saved\n"
    place = saved(tmp_path / "s", {f"leaf/{DB}": own[DB], f"leaf/{FRR}": flat})
    before, after = read_sides(place, tree(tmp_path / "t", "sonic"))
    lines = [
        [row for row in side.files[f"{LEAF}/{FRR}"].splitlines() if row] for side in (before, after)
    ]
    assert lines[0] == lines[1]


def test_an_unknown_switch_stays_with_its_host_name(tmp_path: Path) -> None:
    text = rendered("eos")["be-su01-leaf1"][EOS].replace("be-su01-leaf1", "else/../where")
    before, after = read_sides(saved(tmp_path / "s", {"a.cfg": text}), tree(tmp_path / "t", "eos"))
    assert set(before.files) == {f"switches/else_.._where/{EOS}"}
    assert dict(after.files) == {}


def test_two_saved_folders_compare_their_secrets_without_their_values(tmp_path: Path) -> None:
    text = rendered("eos")["be-su01-leaf1"][EOS]
    texts = [f"username a secret sha512 {each}\n{text}" for each in ("$6$x", "$6$y")]
    one, other = (
        saved(tmp_path / name, {"a.cfg": own}) for name, own in zip("ab", texts, strict=True)
    )
    before, after = read_sides(one, other)
    path = f"switches/be-su01-leaf1/{EOS}"
    assert "username a secret sha512 <<hidden:1>>\n" in before.files[path]
    assert "username a secret sha512 <<hidden:3>>\n" in after.files[path]
    again, same = read_sides(one, one)
    assert dict(again.files) == dict(same.files)


def test_of_a_site_only_saved_switches_are_rendered(tmp_path: Path) -> None:
    text = rendered("eos")["be-su01-leaf1"][EOS]
    place = saved(tmp_path / "s", {"a.cfg": text})
    root = Path(__file__).resolve().parents[3]
    before, after = read_sides(place, str(root / "intent" / "lab"))
    assert after.site is not None
    assert after.loaded is not None
    assert after.tree.keys() == {LEAF}
    assert "without a saved configuration" in "\n".join(before.notes)


def test_two_files_with_one_host_name_are_an_error(tmp_path: Path) -> None:
    text = rendered("eos")["be-su01-leaf1"][EOS]
    place = saved(tmp_path / "s", {"a.cfg": text, "b.cfg": text})
    before, _ = read_sides(place, tree(tmp_path / "t", "eos"))
    assert "is the name of two switches" in before.findings[0].message


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("b.cfg", "set system host-name x\nset interfaces lo0 unit 0\n", "configuration of Junos"),
        ("config_db.json", '{"PORT": {"E0": {"a": "1", "a": "2"}}}', "not a database"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    own = rendered("eos")["be-su01-leaf1"][EOS]
    place = saved(tmp_path / "s", {"a/a.cfg": own, f"b/{name}": text})
    before, _ = read_sides(place, tree(tmp_path / "t", "eos"))
    assert before.findings == ()
    assert [note for note in before.notes if said in note]


def test_a_folder_without_configurations_is_a_site_with_errors(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    before, _ = read_sides(str(tmp_path / "s"), tree(tmp_path / "t", "eos"))
    assert "saved" not in before.findings[0].message
    assert before.findings[0].message


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path) -> None:
    own = rendered("eos")["be-su01-leaf1"][EOS]
    place = saved(tmp_path / "s", {"a.cfg": own})
    (tmp_path / "out.cfg").write_text(own.replace("be-su01-leaf1", "other"))
    (tmp_path / "s" / "b.cfg").symlink_to(tmp_path / "out.cfg")
    before, _ = read_sides(place, tree(tmp_path / "t", "eos"))
    assert set(before.files) == {f"{LEAF}/{EOS}"}
    assert "it is a link" in "\n".join(before.notes)
    assert FILE not in before.files


def test_secrets_of_a_database_are_keys_and_fields() -> None:
    tables = {
        "SNMP_COMMUNITY": {"public1": {"TYPE": "RO"}},
        "TACPLUS": {"global": {"passkey": "s3cret", "timeout": "5"}},
        "NTP_KEY": {"1": {"value": "k3y"}},
    }
    text = hide(json.dumps(tables), lambda _: "T")
    assert not [word for word in ("public1", "s3cret", "k3y") if word in text]
    assert json.loads(text)["TACPLUS"] == {"global": {"passkey": "T", "timeout": "5"}}


def test_a_token_is_not_hidden_again() -> None:
    both = hiding((re.compile(r"(key )(\S+)"), re.compile(r"(\bkey )(\S+)")))
    assert both("key abc", lambda _: "<<hidden:1>>") == "key <<hidden:1>>"


@pytest.mark.parametrize("text", ["{", "[]", '{"PORT": []}', "[" * 100_000])
def test_a_rendered_database_that_is_none_is_compared_as_text(tmp_path: Path, text: str) -> None:
    own = rendered("sonic")["be-su01-leaf1"][DB]
    place = saved(tmp_path / "s", {f"leaf/{DB}": own})
    hostile = written(tmp_path / "t", {f"{LEAF}/{DB}": text})
    assert read_sides(place, hostile)[1].files[f"{LEAF}/{DB}"] == text

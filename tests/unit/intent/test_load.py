"""A site's files in: how they add up to one intent, and what is said when they do not."""

import os
from pathlib import Path

import pytest

from fabricgen.core.diagnostics import Code, Position, Severity
from fabricgen.intent import files, source
from fabricgen.intent.files import site_files
from fabricgen.intent.load import Loaded, load_site, load_texts

SITE = "site: {name: lab, management: {subnet: 10.255.0.0/22}}\n"
BACKEND = (
    "backend:\n  design: rail-only\n  servers: {count: 4, gpus: 2, nic_speed: 400G}\n"
    "  leaf: {model: 7060X6-64PE, platform: eos}\n"
)


def said(loaded: Loaded) -> list[tuple[str, str]]:
    """Return code and place of each finding."""
    places = [item.position or loaded.source.locate(item.path) for item in loaded.findings]
    return [(item.code, str(place)) for item, place in zip(loaded.findings, places, strict=True)]


def only(loaded: Loaded) -> tuple[str, str]:
    assert len(loaded.findings) == 1, loaded.findings
    return loaded.findings[0].code, loaded.findings[0].message


def test_a_list_where_a_name_is_none_is_said() -> None:
    text = SITE + BACKEND + "tenants:\n  Web Apps:\n    - {group: hosts}\n"
    assert ("FG103", "a.yaml:7:3") in said(load_texts({"a.yaml": text}))


def test_several_files_make_one_intent() -> None:
    loaded = load_texts({"a.yaml": SITE, "b.yaml": BACKEND})
    assert loaded.intent is not None
    assert loaded.intent.backend is not None
    assert loaded.intent.site.name == "lab"


def test_a_path_leads_into_the_file_it_came_from() -> None:
    loaded = load_texts({"a.yaml": SITE, "b.yaml": BACKEND})
    assert loaded.source.locate(("backend", "design")) == Position("b.yaml", 2, 11)


def test_a_key_in_two_files_names_both_places() -> None:
    loaded = load_texts({"a.yaml": "\n" + SITE, "b.yaml": BACKEND + "site: {name: x}\n"})
    code, message = only(loaded)
    assert code is Code.KEY_IN_TWO_FILES
    assert loaded.findings[0].position == Position("b.yaml", 5, 1)
    assert "a.yaml:2:1" in message


def test_tenants_of_several_files_are_merged_by_name() -> None:
    texts = {"a.yaml": SITE + "tenants: {red: {}}", "b.yaml": "tenants: {blue: {}}"}
    loaded = load_texts(texts)
    assert loaded.intent is not None
    assert list(loaded.intent.tenants) == ["red", "blue"]


def test_one_tenant_in_two_files_names_both_places() -> None:
    texts = {"a.yaml": SITE + "tenants: {red: {}}", "b.yaml": "tenants: {red: {}}"}
    loaded = load_texts(texts)
    assert only(loaded)[0] is Code.KEY_IN_TWO_FILES
    assert "a.yaml:2:11" in loaded.findings[0].message


def test_tenants_that_are_no_mapping_are_not_merged() -> None:
    texts = {"a.yaml": SITE + "tenants: [red]", "b.yaml": "tenants: {red: {}}"}
    found = load_texts(texts).findings
    assert [item.code for item in found] == [Code.KEY_IN_TWO_FILES, Code.BAD_VALUE]


def test_the_errors_of_all_files_come_at_once() -> None:
    loaded = load_texts({"a.yaml": "site: [", "b.yaml": "a: *x", "c.yaml": "k: 1\nk: 2"})
    assert {code for code, _ in said(loaded)} == {
        Code.YAML_SYNTAX,
        Code.YAML_FEATURE,
        Code.DUPLICATE_KEY,
        Code.UNKNOWN_KEY,
    }


def test_all_errors_of_a_file_come_at_once() -> None:
    wrong = BACKEND.replace("count: 4", "count: 0").replace("400G", "fast").replace("gpus", "gpu")
    assert len(load_texts({"a.yaml": SITE, "b.yaml": wrong}).findings) == 3


def test_a_missing_top_level_key_stands_at_the_first_file() -> None:
    assert said(load_texts({"a.yaml": BACKEND})) == [(Code.MISSING_KEY, "a.yaml:1:1")]


@pytest.mark.parametrize("text", ["hello", "- a\n- b", "12"])
def test_a_file_that_is_no_mapping_is_refused(text: str) -> None:
    assert said(load_texts({"a.yaml": text})) == [(Code.BAD_VALUE, "a.yaml:1:1")]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "{}"])
def test_an_empty_file_adds_nothing(text: str) -> None:
    assert load_texts({"a.yaml": SITE, "b.yaml": text}).intent is not None


def test_errors_beyond_a_thousand_are_counted() -> None:
    wrong = "{name: lab, management: {subnet: 10.255.0.0/22, ntp: [" + "1," * 3000 + "]}}"
    loaded = load_texts({"a.yaml": f"site: {wrong}"})
    assert len(loaded.findings) == 1001
    assert loaded.findings[-1].message == "2,000 more errors, not shown"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_is_read_with_its_subfolders(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "tenants").mkdir()
    written(tmp_path / "tenants", red="tenants: {red: {}}")
    loaded = load_site(tmp_path)
    assert loaded.intent is not None
    assert list(loaded.intent.tenants) == ["red"]


def test_hidden_and_other_files_are_not_read(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / ".site.yaml").write_text("[", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    written(tmp_path / ".git", broken="[")
    (tmp_path / "notes.txt").write_text("[", encoding="utf-8")
    assert [path.name for path in site_files(tmp_path)] == ["site.yaml"]


def test_what_is_rendered_and_how_switches_are_reached_is_no_intent(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    for name in ("inventory", "templates", "rendered", "rendered/hosts/gpu1"):
        (tmp_path / name).mkdir(parents=True)
        written(tmp_path / name, groups="all: {}")
    assert [path.name for path in site_files(tmp_path)] == ["groups.yaml"] * 2 + ["site.yaml"]
    (tmp_path / "rendered" / "manifest.json").write_text("{}", encoding="utf-8")
    assert [path.name for path in site_files(tmp_path)] == ["site.yaml"]


def test_a_folder_called_inventory_deeper_in_a_site_is_intent(tmp_path: Path) -> None:
    (tmp_path / "red" / "inventory").mkdir(parents=True)
    written(tmp_path / "red" / "inventory", site=SITE)
    assert [path.name for path in site_files(tmp_path)] == ["site.yaml"]


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    written(tmp_path, b="", a="", c="")
    assert [path.stem for path in site_files(tmp_path)] == ["a", "b", "c"]


def test_a_folder_without_yaml_is_told(tmp_path: Path) -> None:
    code, message = only(load_site(tmp_path))
    assert code is Code.UNREADABLE
    assert "no *.yaml file" in message


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "does not exist" in only(load_site(tmp_path / "nowhere"))[1]


def test_a_file_is_no_site(tmp_path: Path) -> None:
    path = written(tmp_path, site=SITE) / "site.yaml"
    assert "is not a directory" in only(load_site(path))[1]


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    assert "cannot be read" in only(load_site(tmp_path / ("x" * 5000)))[1]


@pytest.mark.parametrize(
    "text", [b"site: \xff", "site: ü".encode("latin-1"), SITE.encode("utf-16")]
)
def test_bytes_that_are_not_utf8_are_told(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "site.yaml").write_bytes(text)
    code, message = only(load_site(tmp_path))
    assert code is Code.UNREADABLE
    assert "is not UTF-8 text" in message


def test_a_wrong_byte_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_bytes("a: 1\nü: ".encode() + b"\xff")
    assert said(load_site(tmp_path)) == [(Code.UNREADABLE, f"{tmp_path}/site.yaml:2:4")]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_bytes(b"\xef\xbb\xbf" + SITE.encode())
    assert load_site(tmp_path).intent is not None


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "lost.yaml").symlink_to("nowhere.yaml")
    assert "a link" in only(load_site(tmp_path))[1]


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert "a link" in only(load_site(tmp_path))[1]


def test_a_folder_that_links_to_its_parent_is_not_followed(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "up").symlink_to(tmp_path, target_is_directory=True)
    loaded = load_site(tmp_path)
    assert loaded.intent is not None
    assert [item.severity for item in loaded.findings] == [Severity.WARNING]


def test_a_link_to_where_nobody_may_look_is_passed_by(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "away").symlink_to("x" * 300)  # a name that no file can have, so no look at it
    loaded = load_site(tmp_path)
    assert (loaded.intent is not None, loaded.findings) == (True, ())


def test_a_linked_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(SITE, encoding="utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").symlink_to(tmp_path / "text")
    assert "a link" in only(load_site(tmp_path / "site"))[1]


def test_a_linked_site_is_read(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    written(tmp_path / "site", site=SITE)
    (tmp_path / "linked").symlink_to("site")
    assert load_site(tmp_path / "linked").intent is not None


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "site.yaml")
    assert "not a plain file" in only(load_site(tmp_path))[1]


def test_a_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    written(tmp_path, site=SITE)
    (tmp_path / "more.yaml").mkdir()
    assert load_site(tmp_path).intent is not None


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_SITE", 10)
    assert only(load_site(written(tmp_path, site=SITE)))[0] is Code.TOO_DEEP_OR_LARGE


def test_many_files_are_not_more_than_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, site=SITE, more="# more\n")
    assert load_site(tmp_path).intent is not None
    monkeypatch.setattr(files, "MAX_SITE", len(SITE) + 3)
    code, message = only(load_site(tmp_path))
    assert (code, "together" in message) == (Code.TOO_DEEP_OR_LARGE, True)


def test_the_values_of_all_files_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"{name}.yaml": f"{name}: [{'1, ' * 30}]\n" for name in "abc"}
    monkeypatch.setattr(source, "MAX_VALUES", 100)
    assert Code.TOO_DEEP_OR_LARGE not in {item.code for item in load_texts(texts).findings}
    monkeypatch.setattr(source, "MAX_VALUES", 90)
    (large,) = (item for item in load_texts(texts).findings if item.code is Code.TOO_DEEP_OR_LARGE)
    assert large.position is not None
    assert large.position.file == "c.yaml"


def test_a_file_name_of_any_bytes_can_be_printed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.yaml")).write_text("[", encoding="utf-8")
    loaded = load_site(tmp_path)
    assert loaded.findings[0].position is not None
    assert loaded.findings[0].position.file.endswith("\\xff.yaml")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    (written(tmp_path, site=SITE) / "site.yaml").chmod(0)
    assert "Permission denied" in only(load_site(tmp_path))[1]

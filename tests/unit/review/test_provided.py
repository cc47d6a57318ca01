"""A declared change is taken from the base branch or a ticket, not from what it judges."""

import subprocess
from pathlib import Path

import pytest

from fabricgen.intent.model.review import ReviewRules
from fabricgen.review.provided import own_declaration, read_provided, trailer

TEXT = "meaning: m\neffects: [{effect: added vlan 310}]\n"
FILE = "changes/1.yaml"


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.net")
    subprocess.run(["git", "-C", folder, *names, *words], check=True, capture_output=True)


def write(folder: Path, text: str = TEXT) -> None:
    (folder / "changes").mkdir(exist_ok=True)
    (folder / FILE).write_text(text)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    (folder / "site").mkdir(parents=True)
    (folder / "site/site.yaml").write_text("site: {}\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "first")
    monkeypatch.chdir(folder)
    return folder


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def why(name: str = FILE, before: str = "main:site", after: str = "site", **more: object) -> str:
    rules = ReviewRules.model_validate(more) if more else None
    return own_declaration(read_provided(name), (before, after), rules, ["@lead"])


def test_a_file_of_the_base_branch_judges_the_change(repository: Path) -> None:
    write(repository)
    commit(repository, "declared")
    assert why() == ""
    assert why("main:changes/1.yaml") == ""


def test_a_file_that_the_change_brings_is_refused(repository: Path) -> None:
    write(repository)
    assert "the change brings it: side A does not have the file" in why()
    git(repository, "checkout", "-q", "-b", "work")
    commit(repository, "all")
    assert "brings it" in why(after="work:site")
    assert "brings it" in why("work:changes/1.yaml", after="work:site")


def test_a_file_that_the_change_edits_is_refused(repository: Path) -> None:
    write(repository)
    commit(repository, "declared")
    write(repository, TEXT.replace("310", "'*'"))
    assert "the change edits it" in why()


def test_an_owner_permits_a_file_that_the_change_brings(repository: Path) -> None:
    write(repository)
    assert why(allow_own_declaration=["@lead"]) == ""
    assert "or get the approval of @other" in why(allow_own_declaration=["@other"])


def test_a_ticket_outside_the_repository_judges_the_change(
    repository: Path, tmp_path: Path
) -> None:
    write(tmp_path)
    assert why(str(tmp_path / FILE)) == ""


def test_two_folders_of_one_working_tree_have_no_base(repository: Path) -> None:
    write(repository)
    commit(repository, "all")
    assert "not known" in why(before="site")


def test_a_second_working_tree_is_the_base(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "base"), "-b", "base")
    write(repository)
    commit(repository, "all")
    base = str(tmp_path / "base/site")
    assert "brings it" in why(before=base)
    git(tmp_path / "base", "merge", "-q", "main")
    assert why(before=base) == ""


def test_a_trailer_names_a_file_of_the_base(repository: Path) -> None:
    write(repository)
    commit(repository, "declared")
    git(repository, "checkout", "-q", "-b", "work")
    commit(repository, f"Add a VLAN\n\nDeclared-change: {FILE}")
    assert trailer("main:site", "site") == f"main:{FILE}"
    assert trailer("main:site", "main:site") == ""
    assert trailer("site", "site") == ""


def test_two_trailers_are_ambiguous(repository: Path) -> None:
    commit(repository, f"Add\n\nDeclared-change: {FILE}\nDeclared-change: other")
    assert trailer("main:site", "site") == ""


@pytest.mark.parametrize("name", ["none.yaml", "main:none.yaml", "--output=x:y", "changes"])
def test_a_file_that_cannot_be_read_has_a_place(repository: Path, name: str) -> None:
    write(repository)
    read = read_provided(name)
    assert read.change is None
    assert read.findings[0].position is not None

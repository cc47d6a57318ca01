"""Nothing that a site, tree, inventory, plan or journal holds makes a verb read what is elsewhere.

The secret stands beside the repository; each case puts one trap into it.
"""

import json
import subprocess
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest
from tests.cli.calling import TENANTS, Said, call

SECRET = "top: s3cret"  # noqa: S105 - it is none
LEAF = Path("frontend/fe-leaf01/eos.cfg")


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pattern")
    copytree(TENANTS, folder / "site")
    assert call("render", str(folder / "site"), "-o", str(folder / "tree")).code == 0
    return folder


@pytest.fixture
def repository(pattern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site and its tree in the working folder, and a secret above it."""
    (tmp_path / "secret.yaml").write_text(SECRET + "\n")
    copied = copytree(pattern, tmp_path / "repository")
    copytree(copied / "tree", copied / "before")
    monkeypatch.chdir(copied)
    return copied


def refused(said: Said, *words: str) -> None:
    assert said.code == 1, said
    assert SECRET not in said.out + said.err
    assert any(word in said.err + said.out for word in words), said


def entered(path: str, text: str) -> None:
    """Put a path into the manifest, with the hash of what stands there."""
    manifest = json.loads(Path("tree/manifest.json").read_text())
    manifest["files"][path] = {"sha256": sha256(text.encode()).hexdigest()}
    Path("tree/manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("path", ["../../secret.yaml", "absolute", "frontend/../../../secret.yaml"])
def test_a_manifest_names_nothing_outside_its_tree(repository: Path, path: str) -> None:
    outside = str(repository.parent / "secret.yaml") if path == "absolute" else path
    entered(outside, SECRET + "\n")
    refused(call("diff", "before", "tree"), "not a manifest")
    refused(call("render", "site", "-o", "tree", "--switch", "fe-leaf01"), "no manifest.json")
    assert sorted(each.name for each in repository.parent.iterdir()) == [
        "repository",
        "secret.yaml",
    ]


def test_a_linked_rendered_file_is_not_followed(repository: Path) -> None:
    (repository / "tree" / LEAF).unlink()
    (repository / "tree" / LEAF).symlink_to(repository.parent / "secret.yaml")
    refused(call("diff", "before", "tree"), "a link")
    refused(call("render", "site", "-o", "tree"), "changed by hand")
    assert call("render", "site", "-o", "tree", "--check").code == 2


def test_a_linked_folder_of_a_tree_is_not_followed(repository: Path) -> None:
    """Its files are those of the manifest; that they stand elsewhere is enough."""
    (repository / "tree" / "frontend").rename(repository.parent / "frontend")
    (repository / "tree" / "frontend").symlink_to(repository.parent / "frontend")
    refused(call("diff", "before", "tree"), "a link")
    assert call("render", "site", "-o", "tree", "--check").code == 2


def test_a_linked_manifest_is_none(repository: Path) -> None:
    Path("tree/manifest.json").rename(repository.parent / "manifest.json")
    Path("tree/manifest.json").symlink_to(repository.parent / "manifest.json")
    refused(call("diff", "before", "tree"), "not a manifest")


@pytest.mark.parametrize("place", ["x.yaml", "templates/eos/bgp.j2"])
def test_a_linked_file_of_a_site_is_not_read(repository: Path, place: str) -> None:
    (repository / "site" / place).parent.mkdir(parents=True, exist_ok=True)
    (repository / "site" / place).symlink_to(repository.parent / "secret.yaml")
    refused(call("check", "site"), f"site/{place}:1:1")


def test_a_linked_inventory_is_not_read(repository: Path) -> None:
    Path("inventory").mkdir()
    Path("inventory/hosts.yaml").symlink_to(repository.parent / "secret.yaml")
    refused(call("plan", "site", "--inventory", "inventory"), "a link")


def test_a_linked_plan_is_not_read(repository: Path) -> None:
    Path("plan.json").symlink_to(repository.parent / "secret.yaml")
    refused(call("push", "site", "--plan", "plan.json"), "a link")


@pytest.mark.parametrize("linked", [".fabricgen", ".fabricgen/journal.db"])
def test_a_linked_journal_is_neither_read_nor_made(repository: Path, linked: str) -> None:
    elsewhere = repository.parent / "elsewhere"
    if linked == ".fabricgen":
        elsewhere.mkdir()
    else:
        (repository / "site" / ".fabricgen").mkdir()
    (repository / "site" / linked).symlink_to(elsewhere)
    said = call("history", "site")
    assert (said.code, "is a symbolic link" in said.err) == (1, True), said
    assert not elsewhere.is_file()


def git(*words: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.net")
    subprocess.run(["git", *who, *words], check=True, capture_output=True)


@pytest.mark.parametrize("place", ["site/x.yaml", "site/templates/eos/bgp.j2", f"tree/{LEAF}"])
def test_a_link_in_a_revision_is_not_read(repository: Path, place: str) -> None:
    (repository / place).parent.mkdir(parents=True, exist_ok=True)
    (repository / place).unlink(missing_ok=True)
    (repository / place).symlink_to("../../secret.yaml")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "all")
    side = f"HEAD:{place.partition('/')[0]}"
    refused(call("diff", "before", side), "is a link")


def test_a_revision_is_no_option_of_git(repository: Path) -> None:
    git("init", "-q")
    said = call("diff", "before", "--", "--output=owned:site")
    assert said.code == 1
    assert not Path("owned").exists()

"""A real git repository as docs/ci describes it: an origin, a main branch, and a branch in work."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml
from tests.cli.calling import ROOT, call
from tests.deploy.fakes.temper import installed, make_fakes

CI = ROOT / "docs" / "ci"
SITE, TREE = "intent/site", "rendered"
TENANT = Path(SITE) / "tenants" / "red.yaml"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a step came to."""

    code: int
    said: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A clone whose branch `more` is checked out; `origin` is a bare repository beside it."""

    root: Path

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.net")
        subprocess.run(["git", *who, *words], cwd=self.root, check=True, capture_output=True)

    def change(self, old: str, new: str) -> None:
        """Change the intent of the branch."""
        path = self.root / TENANT
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def render(self) -> None:
        said = call("render", str(self.root / SITE), "-o", str(self.root / TREE))
        assert said.code == 0, said.err

    def boot(self) -> None:
        """Make a fake switch of each that is rendered, running it, and an inventory of them."""
        inventory = self.root / "inventory"
        inventory.mkdir()
        (inventory / "defaults.yaml").write_text("driver: fake\nfolder: switches\n")
        rendered = sorted((self.root / TREE).glob("*/*/eos.cfg"))
        make_fakes(self.switches, {path.parent.name: path.read_text() for path in rendered})

    def team(self, keys: dict[str, Path]) -> None:
        """Let the pipeline plan and push, and a person approve."""
        people = {
            name: {"keys": [key.with_suffix(".pub").read_text()]} for name, key in keys.items()
        }
        may = {"plan": ["pipeline"], "push": ["pipeline"], "approve": ["ann"]}
        rules = {"people": people, "may": may, "approvals": {"needed": 1}}
        (self.root / "inventory" / "team.yaml").write_text(yaml.safe_dump(rules))

    def approve(self, key: Path) -> None:
        """Approve the plan in another clone, as docs/operate/ci.md says."""
        clone = Repository(self.root.with_name("approving"))
        origin = subprocess.run(
            ["git", "remote", "get-url", "origin"],
            cwd=self.root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        self.git("clone", "-q", origin, str(clone.root))
        clone.git("switch", "--orphan", "approvals")
        shutil.copy(self.root / "plan.json", clone.root)
        words = ["approve", "plan.json", "--key", str(key), "--yes"]
        done = clone.run(
            ["bash", "-c"],
            shlex.join(["fabricgen", *words, "--inventory", str(self.root / "inventory")]),
        )
        assert done.code == 0, done.said
        clone.git("add", "plan.json.approvals")
        clone.git("commit", "-m", "Approve")
        clone.git("push", "-qf", "origin", "approvals")  # tests share the origin

    @property
    def switches(self) -> Path:
        """Where the fake switches are."""
        return self.root / "inventory" / "switches"

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "change", "--allow-empty")

    def run(self, shell: list[str], script: str, **variables: str) -> Ran:
        """Run a script as a runner does: in the repository, with fabricgen on the path."""
        beside = Path(sys.executable).parent
        done = subprocess.run(
            [*shell, script],
            cwd=self.root,
            env={
                **installed(os.environ),
                **variables,
                "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr)

    def read(self, name: str) -> str:
        return (self.root / name).read_text()


def made(folder: Path) -> Repository:
    """Make the repository: main is pushed and up to date, `more` is where work goes on."""
    repository = Repository(folder / "clone")
    repository.root.mkdir()
    shutil.copytree(ROOT / "intent" / "tenants", repository.root / SITE)
    _without_secrets(repository.root / SITE / "site.yaml")
    repository.render()
    repository.git("init", "-q", "-b", "main")
    repository.commit()
    origin = str(folder / "origin.git")
    repository.git("clone", "-q", "--bare", ".", origin)
    repository.git("remote", "add", "origin", origin)
    repository.git("fetch", "-q", "origin")
    repository.git("checkout", "-q", "-b", "more")
    return repository


def _without_secrets(path: Path) -> None:
    """Take out what refers to secrets: a fake switch runs exactly what is rendered."""
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if "env:" not in line and line.strip() != "users:"]
    assert len(kept) == len(lines) - 4
    path.write_text("".join(kept))


def loaded(name: str) -> dict[str, dict[str, object]]:
    """Read a pipeline; `on` of YAML 1.1 is a key of GitHub's, so nothing becomes a boolean."""
    text = (CI / name).read_text()
    found: dict[str, dict[str, object]] = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
    return found

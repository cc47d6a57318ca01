"""People with SSH keys, and the rules that name them, beside the fakes of a small site."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import yaml

from fabricgen.operate.deploy.team import authorization as leave

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.deploy.verbs.conftest import Work

NAMES = ("ann", "bob", "cyn", "eve", "pipeline", "stranger")
MAY = {"plan": ["ann", "pipeline"], "push": ["pipeline"], "approve": ["ann", "bob", "cyn"]}
RULES = {"may": {**MAY, "break_glass": ["cyn"]}, "approvals": {"needed": 1, "hours": 8}}
PUSH = ("push", "site", "--plan", "plan.json")


def make_key(path: Path) -> Path:
    """Make a key without a passphrase."""
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", path.name, "-f", str(path)]
    subprocess.run(words, check=True)
    return path


@dataclass(frozen=True, slots=True)
class Staff:
    """Everybody's keys, in a folder; everybody but the stranger is in team.yaml."""

    work: Work
    keys: Path

    def key(self, name: str) -> str:
        """Return the private key of somebody."""
        return str(self.keys / name)

    def public(self, name: str) -> str:
        """Return the public one, as a line."""
        return (self.keys / f"{name}.pub").read_text().strip()

    @property
    def file(self) -> Path:
        """Return the rules."""
        return self.work.folder / "inventory" / "team.yaml"

    def rule(self, **changed: object) -> None:
        """Write the rules, with some of them changed."""
        people = {name: {"keys": [self.public(name)]} for name in NAMES[:-1]}
        self.file.write_text(yaml.safe_dump({"people": people, **RULES, **changed}))

    def plan(self, by: str = "ann") -> None:
        """Make a plan of a change, signed by its planner."""
        assert self.work.fabricgen("plan", "site", "-o", "plan.json", "--key", self.key(by)) == 2

    def approve(self, by: str = "bob", *words: str) -> int:
        """Approve it."""
        return self.work.fabricgen("approve", "plan.json", "--yes", "--key", self.key(by), *words)

    def push(self, by: str = "pipeline", *words: str) -> int:
        """Push it."""
        return self.work.fabricgen(*PUSH, "--key", self.key(by), *words)

    def jump(self, monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
        """Set this machine's clock forward as soon as a switch has been written to."""
        start = datetime.now(UTC)

        def clock() -> datetime:
            written = any(said.startswith("write") for said in self.work.requests())
            return start + timedelta(hours=hours if written else 0)

        monkeypatch.setattr(leave, "now", clock)

    @property
    def folder(self) -> Path:
        """Return where the signatures stand."""
        return self.work.folder / "plan.json.approvals"

    def beside(self, name: str) -> Path:
        """Return one of them."""
        return self.folder / name

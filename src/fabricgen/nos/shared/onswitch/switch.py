"""Define the interface between the commit agent and a network OS on the switch."""

from __future__ import annotations

import hashlib
import json
import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.shared.onswitch.pings import pings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabricgen.nos.shared.onswitch.store import Tree


class Outcome(NamedTuple):
    """Problems that keep the files from running, and remarks about skipped parts."""

    problems: list[str]
    remarks: list[str]


class Switch:
    """Operations of a network OS for commits, checkpoints and comparisons.

    A candidate is a Tree. `touched` lists its paths that differ from the running configuration.

    Attributes:
        limits: Seconds of slow steps, from the operator's side.
        renames: The operator's side verified the identity of this switch, so a candidate may rename
            it.
        others: Patterns of unmanaged lines, by kind.
    """

    limits: Mapping[str, float] = {}
    renames: bool = False
    others: Mapping[str, str] = {}

    def kept_sections(self) -> dict[str, str]:
        """Return the unmanaged running lines by kind, without secrets."""
        return {}

    def judge(self, files: Mapping[str, str], executable: Iterable[str]) -> Tree:
        """Return files as a candidate; a Refusal if the switch's programs refuse them."""
        raise NotImplementedError

    def judge_reload(self, files: Mapping[str, str]) -> Tree:
        """Return files as a candidate for the second method, which restarts every service."""
        raise NotImplementedError

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        """Return the running files, or those that a candidate would produce, without secrets."""
        raise NotImplementedError

    def compare(self, candidate: Tree) -> str:
        """Return the changes of a commit, without secrets; empty if there are none."""
        raise NotImplementedError

    def touched(self, candidate: Tree) -> list[str]:
        """Return the paths that a commit would change."""
        raise NotImplementedError

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        """Return everything that a commit may change, and other facts for its undo."""
        raise NotImplementedError

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        raise NotImplementedError

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        """Activate a candidate and verify it. `facts`: the checkpoint's."""
        raise NotImplementedError

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        """Restore a checkpoint; return the parts that fail."""
        raise NotImplementedError

    def keep(self) -> list[str]:
        """Save the running configuration for the next boot; return the errors."""
        return []

    def probe(self, asked: Sequence[Mapping[str, Any]]) -> list[bool]:
        """Send packets; return whether each end answered."""
        return pings((one["source"], one["far"]) for one in asked)

    def facts(self) -> dict[str, Any]:
        name = socket.gethostname()
        return {
            "hostname": name,
            "fqdn": name,  # a query for more may wait for a missing resolver
            "uptime": float(disk.stated("proc/uptime").split()[0]),
        }

    def fingerprint(self) -> str:
        """Return a hash of the running configuration."""
        texts = {path: file.text for path, file in self.config(None).items()}
        return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()

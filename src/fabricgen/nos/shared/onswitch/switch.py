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
    """problems: why the files do not run. remarks: what was left out, and why."""

    problems: list[str]
    remarks: list[str]


class Switch:
    """What commits, checkpoints and comparisons need of a network OS.

    A candidate is a Tree. `touched` are the paths of it that differ from what runs. limits: seconds
    of slow steps, as the operator's side has them. renames: that side knows for sure which switch
    this is, so a candidate may give it another name. others:
    patterns of what is another's, by kind.
    """

    limits: Mapping[str, float] = {}
    renames: bool = False
    others: Mapping[str, str] = {}

    def kept_sections(self) -> dict[str, str]:
        """Return what runs and is another's, by kind, without secrets."""
        return {}

    def judge(self, files: Mapping[str, str], executable: Iterable[str]) -> Tree:
        """Return files as a candidate; a Refusal when the switch's own programs refuse them."""
        raise NotImplementedError

    def judge_reload(self, files: Mapping[str, str]) -> Tree:
        """Return files as a candidate for the second path, on which every service starts anew."""
        raise NotImplementedError

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        """Return what runs, or would run with a candidate, as files without secrets."""
        raise NotImplementedError

    def compare(self, candidate: Tree) -> str:
        """Return what a commit would change, without secrets; empty when nothing."""
        raise NotImplementedError

    def touched(self, candidate: Tree) -> list[str]:
        """Return the paths that a commit would change."""
        raise NotImplementedError

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        """Return everything that a commit may change, and what else its undoing needs."""
        raise NotImplementedError

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        """Return a checkpoint as a candidate."""
        raise NotImplementedError

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        """Make a candidate run, and look whether it does. facts: the checkpoint's."""
        raise NotImplementedError

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        """Put a checkpoint back; what of it does not run comes back."""
        raise NotImplementedError

    def keep(self) -> list[str]:
        """Make what runs outlive a boot; return why it does not."""
        return []

    def probe(self, asked: Sequence[Mapping[str, Any]]) -> list[bool]:
        """Send packets; return of each end whether it answered."""
        return pings((one["source"], one["far"]) for one in asked)

    def facts(self) -> dict[str, Any]:
        """Return NAPALM's facts."""
        name = socket.gethostname()
        return {
            "hostname": name,
            "fqdn": name,  # to ask for more may wait for a resolver that is not there
            "uptime": float(disk.stated("proc/uptime").split()[0]),
        }

    def fingerprint(self) -> str:
        """Return a hash of what runs."""
        texts = {path: file.text for path, file in self.config(None).items()}
        return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()

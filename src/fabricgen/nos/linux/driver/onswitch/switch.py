"""Adapt Linux with FRR and ifupdown2 to the commit agent."""

from __future__ import annotations

import difflib
import hashlib
import socket
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import apply, files, interfaces, kernel, probe
from fabricgen.nos.linux.driver.onswitch.files import FILES, FRR, FRR_CONF, hide
from fabricgen.nos.linux.driver.onswitch.kept import Kept
from fabricgen.nos.shared.onswitch import disk, hidden, state
from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, Refusal
from fabricgen.nos.shared.onswitch.store import Tree
from fabricgen.nos.shared.onswitch.switch import Outcome, Switch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_NAME = "etc/hostname"
SAVED = f"{FRR_CONF}.saved"


class LinuxSwitch(Switch):
    """A configuration is the set of files that the platform renders."""

    @property
    def _kept(self) -> Kept:
        return Kept(self.others)

    def _now(self) -> Tree:
        return self._kept.mine(files.running())

    def kept_sections(self) -> dict[str, str]:
        texts = self._kept.sections()
        return {kind: hide(FRR_CONF if kind == "frr" else "", texts[kind]) for kind in texts}

    def judge(self, given: Mapping[str, str], executable: Iterable[str]) -> Tree:
        """Refuse other files, files of another switch, and files invalid to FRR or ifupdown2."""
        runs = frozenset(executable)
        tree = {path: disk.File(text.encode(), runs=path in runs) for path, text in given.items()}
        tree = dict(self._kept.into(Tree(tree)).files)
        for path, text in given.items():
            FILES.place(path)
            if path in runs and not FILES.renders(path):
                raise Refusal(CANDIDATE, f"{path} is a custom file and must not be executable")
            if mark := hidden.unresolved(text):
                raise Refusal(CANDIDATE, f"{path} has {mark} instead of a value")
        _judge_name(given, renames=self.renames)
        for path, program in ((FRR_CONF, "FRR"), (interfaces.CONF, "ifupdown2")):
            why = _refused(path, tree[path]) if path in tree else ""
            if why:
                raise Refusal(CANDIDATE, f"{program} refuses {path}: {why}")
        return Tree(tree, sorted(tree))

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        """Return files, and FRR's running configuration if it differs from its file.

        With a candidate: files that fabricgen never wrote are not removed, so they are included.
        """
        now = self._now()
        tree = dict(now.files)
        if candidate is not None:
            tree = {**(tree if now.managed is None else {}), **candidate.files}
        elif FRR_CONF in tree and self._unsaved(tree[FRR_CONF]):
            tree[SAVED] = tree[FRR_CONF]._replace(data=hide(FRR_CONF, tree[FRR_CONF].text).encode())
            tree[FRR_CONF] = tree[FRR_CONF]._replace(data=FRR.running().encode())
        return {
            path: file._replace(data=hide(path, self._kept.ours(path, file.text)).encode())
            for path, file in tree.items()
        }

    def _unsaved(self, file: disk.File) -> bool:
        """Return whether FRR's managed configuration differs from its file."""
        with disk.temporary_file(state.passing() / "compared", self._kept.runs(file)) as where:
            return bool(FRR.difference(where))

    def compare(self, candidate: Tree) -> str:
        """Return the difference by meaning for FRR's running configuration, else by file."""
        now, changed = self._now(), self._changed(candidate)
        parts = [
            self._difference(
                path, now.files.get(path) or FILES.read(path), candidate.files.get(path)
            )
            for path in changed
            if path != FRR_CONF
        ]
        return "".join(self._routing(changed, candidate) + parts)

    def _changed(self, candidate: Tree) -> list[str]:
        return files.changed(self._now(), candidate, self._kept.like)

    def touched(self, candidate: Tree) -> list[str]:
        """Return the changed paths, and FRR's file if unmanaged lines must be written with it."""
        changed = self._changed(candidate)
        more = {FRR_CONF} if changed and self._kept.unwritten(candidate) else set()
        return sorted({*changed, *more})

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        """Return the files, and the state of FRR, the kernel and ifupdown2."""
        now = files.running()
        kept = files.before(now, [*candidate.files, *touched])
        sysctls = [
            source[path].text
            for path in touched
            for source in (kept, candidate.files)
            if path.startswith(kernel.FOLDER) and path in source
        ]
        facts: dict[str, Any] = {
            "running": apply.unsaved(),
            "kernel": kernel.values(kernel.settings(sysctls)),
        }
        if facts["running"] is not None and FRR_CONF in kept:
            facts["ours_saved"] = not self._unsaved(kept[FRR_CONF])
        if interfaces.CONF in touched:
            facts["failures"] = sorted(interfaces.failures())
            facts["strays"] = sorted(apply.strays())
        return Tree(kept, now.managed), facts

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        """Return the files, with FRR's running configuration if it was not saved."""
        if facts["running"] is not None and not facts.get("ours_saved"):
            data = facts["running"].encode()
            conf = kept.files.get(FRR_CONF, disk.File(b""))._replace(data=data)
            kept = Tree({**kept.files, FRR_CONF: conf}, kept.managed)
        return self._kept.into(kept, again=True)

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        return apply.apply(candidate, touched, facts)

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        return apply.restore(kept, facts)

    def probe(self, asked: Sequence[Mapping[str, Any]]) -> list[bool]:
        return probe.probe(asked)

    def facts(self) -> dict[str, Any]:
        debian = disk.stated("etc/debian_version")
        return {
            **super().facts(),
            "vendor": disk.stated("sys/class/dmi/id/sys_vendor"),
            "model": disk.stated("sys/class/dmi/id/product_name"),
            "serial_number": disk.stated("sys/class/dmi/id/product_serial"),
            "os_version": f"Debian {debian}" if debian else "",
            "interface_list": sorted(each.name for each in (disk.ROOT / "sys/class/net").glob("*")),
        }

    def _routing(self, changed: list[str], after: Tree) -> list[str]:
        """Return the changes of FRR; without any, the difference of its file."""
        file = after.files.get(FRR_CONF)
        if file is not None:
            with disk.temporary_file(state.passing() / "compared", file.data) as where:
                lines = FRR.difference(where)
            if lines:
                text = hide(FRR_CONF, "\n".join(lines))
                return [f"--- running {FRR_CONF}\n+++ candidate {FRR_CONF}\n{text}\n"]
        if FRR_CONF not in changed:
            return []
        return [self._difference(FRR_CONF, FILES.read(FRR_CONF), file)]

    def _difference(self, path: str, before: disk.File | None, after: disk.File | None) -> str:
        old, new = (
            [] if file is None else hide(path, self._kept.ours(path, file.text)).splitlines()
            for file in (before, after)
        )
        names = (f"running {path}", f"candidate {path}")
        lines = list(difflib.unified_diff(old, new, *names, lineterm="", n=2))
        if not lines:
            lines = [f"--- {names[0]}", f"+++ {names[1]}"]
        if before is not None and after is not None and before.runs != after.runs:
            lines.append("+ executable" if after.runs else "- executable")
        return "\n".join(lines) + "\n"

    def fingerprint(self) -> str:
        digest = hashlib.sha256(FRR.running().encode())
        for path, file in sorted(files.running().files.items()):
            digest.update(repr((path, file.data, file.runs)).encode())
        return digest.hexdigest()


def _judge_name(given: Mapping[str, str], *, renames: bool) -> None:
    """Refuse files of another switch. `renames`: the caller knows that the switch is renamed."""
    own = socket.gethostname()
    names = {given[_NAME].strip()} if _NAME in given else set()
    for line in given.get(FRR_CONF, "").splitlines():
        if line.startswith("hostname "):
            names.add(line.split()[1])
    if renames and len(names) == 1:
        return
    for name in sorted(names - {own, own.partition(".")[0]}):
        raise Refusal(CANDIDATE, f"the configuration belongs to {name}; this switch is {own}")


def _refused(path: str, file: disk.File) -> str:
    """Return the errors of a file by the program that reads it."""
    with disk.temporary_file(state.passing() / "judged", file.data) as where:
        return FRR.judge(where) if path == FRR_CONF else interfaces.judge(where, file.text)


SWITCH = LinuxSwitch()

"""Adapts SONiC to the commit agent: CONFIG_DB by SONiC's own updater, and frr.conf."""

from __future__ import annotations

import contextlib
import difflib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fabricgen.core.tree.keep import Contradiction, Keep
from fabricgen.nos.shared.onswitch import disk, hidden, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.frr import MANNER
from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, RELOAD, Refusal, StepError
from fabricgen.nos.shared.onswitch.store import Tree
from fabricgen.nos.shared.onswitch.switch import Outcome, Switch
from fabricgen.nos.sonic.driver.onswitch.apply import Reload, Updater, read_tables, whole, working
from fabricgen.nos.sonic.driver.onswitch.container import CONF, FILES, FRR, Container
from fabricgen.nos.sonic.driver.onswitch.routing import programs
from fabricgen.nos.sonic.driver.onswitch.shown import canonical, differences, secrets, shown
from fabricgen.nos.sonic.driver.onswitch.tables import (
    OWNED,
    Tables,
    kept,
    ours,
    owned,
    patches,
    target,
)

TABLES, ROUTING = "config_db.json", "frr.conf"
"""The files of a switch, as nos/sonic renders them."""
_NOT_IN_PLACE = re.compile(r"\bis illegal\b|did not end within")
"""What the updater says of what its guards refuse (gu_common.py validate_field_operation,
IllegalPatchOperationError), or that it gave no answer. What YANG refuses a reload refuses, too."""
_VERSION = re.compile(r"(?m)^([A-Z][\w ]+): *(.+?) *$")


class _Configuration(NamedTuple):
    """Our tables, and frr.conf where there is one."""

    tables: Tables
    frr: str | None


class SonicSwitch(Switch):
    """A candidate has our tables as they were rendered; the image's own fields stay as they run."""

    def judge(self, given: Mapping[str, str], executable: Iterable[str]) -> Tree:
        """Refuse what is not ours, or what GCU would not apply."""
        del executable
        tree = self._judged(given)
        now, after = self._change(tree)
        try:
            for steps in patches(now.tables, after.tables):
                self._updater(now, after).gcu_on(steps, "apply-patch", "--dry-run")
        except StepError as error:
            kind = RELOAD if _NOT_IN_PLACE.search(str(error)) else CANDIDATE
            raise Refusal(kind, f"SONiC refuses it: {error}") from None
        return tree

    def judge_reload(self, given: Mapping[str, str]) -> Tree:
        """Refuse what is not ours, or what the image's models or FRR would not read."""
        tree = self._judged(given)
        now, after = self._change(tree)
        try:
            self._reload(now, after, {}).check(whole(read_tables(), after.tables))
            Container(self.limits).check(after.frr or "")
        except StepError as error:
            raise Refusal(CANDIDATE, f"SONiC refuses it: {error}") from None
        return tree

    def _change(self, candidate: Tree | None) -> tuple[_Configuration, _Configuration]:
        """Return what runs, and what shall run."""
        file = FILES.read(CONF)
        now = _Configuration(owned(read_tables()), None if file is None else file.text)
        if candidate is None:
            return now, now
        wanted = _read(candidate)
        frr = now.frr if wanted.frr is None else self._with_kept(now.frr, wanted.frr)
        return now, _Configuration(target(now.tables, wanted.tables, self._rows), frr)

    @property
    def _rows(self) -> str:
        return self.others.get("config_db", "")

    @property
    def _lines(self) -> Keep:
        return Keep.of(self.others.get("frr", ""), MANNER)

    def _with_kept(self, now: str | None, wanted: str) -> str:
        """Return a frr.conf with what is kept of what FRR runs; as it is if it says that."""
        if not self._lines.patterns.below:
            return wanted
        try:
            text = self._lines.again(wanted, FRR.running())
        except Contradiction as wrong:
            raise Refusal(CANDIDATE, f"{ROUTING}: {wrong}") from None
        return now if now is not None and self._lines.same(now, text) else text

    def kept_sections(self) -> dict[str, str]:
        rows = shown(kept(owned(read_tables()), self._rows))
        names = (f"{name}|{key}\n" for name, entries in rows.items() for key in entries)
        lines = self._lines.kept(FRR.running()) if self._lines.patterns.below else ""
        found = {"config_db": "".join(names), "frr": hidden.masked(hidden.ROUTING, lines)}
        return {kind: text for kind, text in found.items() if text}

    def _judged(self, given: Mapping[str, str]) -> Tree:
        """Return files as a candidate; refuse what is rendered and to be kept."""
        tree = _judged(given)
        wanted = _read(tree)
        for name, rows in kept(wanted.tables, self._rows).items():
            raise Refusal(CANDIDATE, f"{name}|{min(rows)} is rendered, and to be kept")
        try:
            self._lines.into(wanted.frr or "", "")
        except Contradiction as wrong:
            raise Refusal(CANDIDATE, f"{ROUTING}: {wrong}") from None
        return tree

    def _updater(self, *configurations: _Configuration) -> Updater:
        known: dict[str, str] = {}
        for each in configurations:
            known.update(secrets(each.tables, each.frr or ""))
        return Updater(self.limits, known)

    def _reload(
        self, now: _Configuration, after: _Configuration, before: Mapping[str, Any]
    ) -> Reload:
        return Reload(before, self.limits, self._updater(now, after).known)

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        """Return what is ours of CONFIG_DB, and frr.conf."""
        _, after = self._change(candidate)
        texts = {TABLES: canonical(ours(after.tables, self._rows))}
        if after.frr is not None:
            texts[ROUTING] = self._said(after.frr)
        return {path: disk.File(text.encode()) for path, text in texts.items()}

    def compare(self, candidate: Tree) -> str:
        """Return a line for each field that differs, and a unified diff of frr.conf."""
        now, after = self._change(candidate)
        lines = differences(ours(now.tables, self._rows), ours(after.tables, self._rows))
        if now.frr != after.frr:
            old, new = (self._said(each.frr or "").splitlines() for each in (now, after))
            lines += difflib.unified_diff(old, new, ROUTING, ROUTING, lineterm="")
        return "".join(f"{line}\n" for line in lines)

    def _said(self, frr: str) -> str:
        """Return a frr.conf without secrets, and without what is kept."""
        return hidden.masked(hidden.ROUTING, self._lines.without(frr))

    def touched(self, candidate: Tree) -> list[str]:
        now, after = self._change(candidate)
        changed = {TABLES: now.tables != after.tables, ROUTING: now.frr != after.frr}
        return [path for path, differs in changed.items() if differs]

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        """Return all of CONFIG_DB, and frr.conf as it is; before a reload also what works."""
        del candidate, touched
        file, tables = FILES.read(CONF), read_tables()
        files = {TABLES: disk.File(json.dumps(tables).encode())}
        works = working(tables) if state.commit().get("reload") else {}
        return Tree(files if file is None else {**files, ROUTING: file}), works

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        """Return what is ours of a checkpoint, as if it had been rendered."""
        del facts
        data = json.dumps(ours(owned(_read(kept).tables), self._rows)).encode()
        return Tree({**kept.files, TABLES: disk.File(data)})

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        """Apply a patch of CONFIG_DB, then frr.conf when it is another one; read both back."""
        now, after = self._change(candidate)
        updater = self._updater(now, after)
        if state.commit().get("reload"):
            self._apply_reload(now, after, facts)
            return Outcome([], [])
        container = Container(self.limits)
        if TABLES in touched:
            container.release(after.tables)
            for steps in patches(now.tables, after.tables):
                updater.gcu_on(steps, "apply-patch")
        start = programs(now.tables) != programs(after.tables)
        routed = start or ROUTING in touched or state.commit().get("released")
        if after.frr is not None and routed:
            container.check(after.frr)
            container.route(after.frr, start=start)
        updater.verify(after.tables)
        container.verify(after.frr)
        return Outcome([], [])

    def _apply_reload(
        self, now: _Configuration, after: _Configuration, works: Mapping[str, Any]
    ) -> None:
        """Start every service with new tables and frr.conf; the container bgp reads its file."""
        updater, reload = self._updater(now, after), self._reload(now, after, works)
        container = Container(self.limits)
        tables = whole(read_tables(), after.tables)
        reload.check(tables)
        if after.frr is not None:
            container.check(after.frr)
        with state.locked():
            state.note(reloaded=True)
        container.lay(after.frr)
        reload.load(tables)
        updater.verify(after.tables)
        container.verify(after.frr)

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        """Bring all of CONFIG_DB back, and frr.conf if the commit came to it."""
        before, last = _read(kept), state.commit()
        now = self._change(None)[0]
        updater = self._updater(now, before)
        container = Container(self.limits)
        if last.get("reloaded"):
            container.lay(before.frr)
            reload = self._reload(now, before, facts)
            if read_tables() != before.tables or reload.missing(before.tables):
                reload.load(before.tables, force=True)
        else:
            with contextlib.suppress(StepError):  # FRR may be what does not run
                container.release(before.tables)
            updater.gcu_on(before.tables, "replace")
        if state.commit().get("routed"):
            start = programs(now.tables) != programs(before.tables)
            container.back(before.frr, start=start)
        updater.verify(owned(before.tables))
        container.verify(before.frr)
        if last.get("saved"):
            updater.gcu("save", "-y")
        return []

    def keep(self) -> list[str]:
        """Save CONFIG_DB: until then a reboot brings the old tables back."""
        with state.locked():
            state.note(saved=True)
        self._updater(self._change(None)[0]).gcu("save", "-y")
        return []

    def facts(self) -> dict[str, Any]:
        """Return NAPALM's facts; doc/Command-Reference.md of sonic-utilities, Show Versions."""
        version = dict(_VERSION.findall(run(("show", "version")).out))
        tables = read_tables()
        local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
        name = local.get("hostname", "")
        return {
            **super().facts(),
            "hostname": name,
            "fqdn": name,
            "vendor": "SONiC",
            "model": version.get("HwSKU", local.get("hwsku", "")),
            "os_version": version.get("SONiC Software Version", ""),
            "serial_number": version.get("Serial Number", ""),
            "interface_list": sorted(tables.get("PORT", {})),
        }


def _read(tree: Tree) -> _Configuration:
    frr = tree.files.get(ROUTING)
    return _Configuration(json.loads(tree.files[TABLES].data), None if frr is None else frr.text)


def _judged(given: Mapping[str, str]) -> Tree:
    """Return files as a candidate; refuse those that are not of a SONiC switch."""
    if set(given) != {TABLES, ROUTING}:
        raise Refusal(CANDIDATE, f"not the files of a SONiC switch: {', '.join(sorted(given))}")
    for path, text in given.items():
        if mark := hidden.unresolved(text):
            raise Refusal(CANDIDATE, f"{path} has {mark} instead of a value")
    try:
        tables = json.loads(given[TABLES])
    except ValueError as error:
        raise Refusal(CANDIDATE, f"{TABLES} is no JSON: {error}") from None
    if strange := sorted(name for name in tables if name not in OWNED):
        raise Refusal(CANDIDATE, f"not ours to replace: {', '.join(strange)}")
    if empty := sorted(name for name, rows in tables.items() if not rows):
        raise Refusal(CANDIDATE, f"CONFIG_DB has no empty tables: {', '.join(empty)}")
    return Tree({path: disk.File(text.encode()) for path, text in given.items()})


SWITCH = SonicSwitch()

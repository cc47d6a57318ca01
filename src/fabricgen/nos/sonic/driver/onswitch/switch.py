"""Adapt SONiC to the commit agent: CONFIG_DB by SONiC's own updater, and frr.conf."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from fabricgen.core.tree.keep import Contradiction, Keep
from fabricgen.nos.shared.onswitch import disk, hidden, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.frr import MANNER
from fabricgen.nos.shared.onswitch.refusal import CANDIDATE, RELOAD, Refusal, StepError
from fabricgen.nos.shared.onswitch.store import Tree
from fabricgen.nos.shared.onswitch.switch import Outcome, Switch
from fabricgen.nos.sonic.driver.onswitch.acts import (
    ROUTING,
    SAVE,
    TABLES,
    Configuration,
    Way,
    carry_out,
)
from fabricgen.nos.sonic.driver.onswitch.apply import Updater, read_tables, whole, working
from fabricgen.nos.sonic.driver.onswitch.container import CONF, FILES, FRR, Container, note
from fabricgen.nos.sonic.driver.onswitch.shown import canonical, differences, secrets, shown
from fabricgen.nos.sonic.driver.onswitch.tables import OWNED, kept, ours, owned, target

_NOT_IN_PLACE = re.compile(r"\bis illegal\b|did not end within")
"""Errors of the updater's guards (gu_common.py validate_field_operation,
IllegalPatchOperationError), or its timeout. A reload refuses the same YANG errors, so those are no
reason."""
_VERSION = re.compile(r"(?m)^([A-Z][\w ]+): *(.+?) *$")


class SonicSwitch(Switch):
    """A candidate has managed tables as rendered, and the image's own fields as they run."""

    def judge(self, given: Mapping[str, str], executable: Iterable[str]) -> Tree:
        """Refuse unmanaged files and tables, and changes that GCU would not apply."""
        del executable
        tree = self._judged(given)
        way = self._way(*self._change(tree))
        try:
            carry_out(way.patches("--dry-run"))
        except StepError as error:
            kind = RELOAD if _NOT_IN_PLACE.search(str(error)) else CANDIDATE
            raise Refusal(kind, f"SONiC refuses the candidate: {error}") from None
        return tree

    def judge_reload(self, given: Mapping[str, str]) -> Tree:
        """Refuse unmanaged files and tables, and files invalid to the image's models or FRR."""
        tree = self._judged(given)
        way = self._way(*self._change(tree))
        try:
            carry_out(way.checks(whole(read_tables(), way.after.tables)))
        except StepError as error:
            raise Refusal(CANDIDATE, f"SONiC refuses the candidate: {error}") from None
        return tree

    def _change(self, candidate: Tree | None) -> tuple[Configuration, Configuration]:
        """Return the running configuration, and the wanted one."""
        file = FILES.read(CONF)
        now = Configuration(owned(read_tables()), None if file is None else file.text)
        if candidate is None:
            return now, now
        wanted = _read(candidate)
        frr = now.frr if wanted.frr is None else self._with_kept(now.frr, wanted.frr)
        return now, Configuration(target(now.tables, wanted.tables, self._rows), frr)

    @property
    def _rows(self) -> str:
        return self.others.get("config_db", "")

    @property
    def _lines(self) -> Keep:
        return Keep.of(self.others.get("frr", ""), MANNER)

    def _with_kept(self, now: str | None, wanted: str) -> str:
        """Return a frr.conf with FRR's unmanaged running lines, unchanged if it has them."""
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
        """Return files as a candidate; refuse rendered entries that are also unmanaged."""
        tree = _judged(given)
        wanted = _read(tree)
        for name, rows in kept(wanted.tables, self._rows).items():
            raise Refusal(CANDIDATE, f"{name}|{min(rows)} is rendered, but also unmanaged")
        try:
            self._lines.into(wanted.frr or "", "")
        except Contradiction as wrong:
            raise Refusal(CANDIDATE, f"{ROUTING}: {wrong}") from None
        return tree

    def _way(
        self,
        now: Configuration,
        after: Configuration,
        works: Mapping[str, Any] = MappingProxyType({}),
    ) -> Way:
        """Return the acts from one configuration to another. `works`: from `working`."""
        known = {**secrets(now.tables, now.frr or ""), **secrets(after.tables, after.frr or "")}
        updater = Updater(self.limits, known, works)
        return Way(now, after, updater, Container(self.limits))

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        """Return the managed part of CONFIG_DB, and frr.conf."""
        _, after = self._change(candidate)
        texts = {TABLES: canonical(ours(after.tables, self._rows))}
        if after.frr is not None:
            texts[ROUTING] = self._said(after.frr)
        return {path: disk.File(text.encode()) for path, text in texts.items()}

    def compare(self, candidate: Tree) -> str:
        """Return a line for each changed field, and a unified diff of frr.conf."""
        now, after = self._change(candidate)
        lines = differences(ours(now.tables, self._rows), ours(after.tables, self._rows))
        if now.frr != after.frr:
            old, new = (self._said(each.frr or "").splitlines() for each in (now, after))
            lines += difflib.unified_diff(old, new, ROUTING, ROUTING, lineterm="")
        return "".join(f"{line}\n" for line in lines)

    def _said(self, frr: str) -> str:
        """Return a frr.conf without secrets and unmanaged lines."""
        return hidden.masked(hidden.ROUTING, self._lines.without(frr))

    def touched(self, candidate: Tree) -> list[str]:
        now, after = self._change(candidate)
        changed = {TABLES: now.tables != after.tables, ROUTING: now.frr != after.frr}
        return [path for path, differs in changed.items() if differs]

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        """Return the complete CONFIG_DB and frr.conf; before a reload also the working state."""
        del candidate, touched
        file, tables = FILES.read(CONF), read_tables()
        files = {TABLES: disk.File(json.dumps(tables).encode())}
        works = working(tables) if state.commit().get("reload") else {}
        return Tree(files if file is None else {**files, ROUTING: file}), works

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        del facts
        data = json.dumps(ours(owned(_read(kept).tables), self._rows)).encode()
        return Tree({**kept.files, TABLES: disk.File(data)})

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        way = self._way(*self._change(candidate), facts)
        by_reload = state.commit().get("reload")
        carry_out(way.by_reload() if by_reload else way.in_place(touched), way.verified())
        return Outcome([], [])

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        """Restore the complete CONFIG_DB, and frr.conf if the commit reached it."""
        way = self._way(self._change(None)[0], _read(kept), facts)
        last = state.commit()
        save = [partial(way.updater.run, *SAVE)] if last.get("saved") else []
        carry_out(way.back(reloaded=bool(last.get("reloaded"))), way.verified(), save)
        return []

    def keep(self) -> list[str]:
        """Save CONFIG_DB: before that, a reboot restores the old tables."""
        note(saved=True)
        self._way(*self._change(None)).updater.run(*SAVE)
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


def _read(tree: Tree) -> Configuration:
    frr = tree.files.get(ROUTING)
    return Configuration(json.loads(tree.files[TABLES].data), None if frr is None else frr.text)


def _judged(given: Mapping[str, str]) -> Tree:
    """Return files as a candidate; refuse files of another OS."""
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
        raise Refusal(CANDIDATE, f"tables that fabricgen does not manage: {', '.join(strange)}")
    if empty := sorted(name for name, rows in tables.items() if not rows):
        raise Refusal(CANDIDATE, f"CONFIG_DB has no empty tables: {', '.join(empty)}")
    return Tree({path: disk.File(text.encode()) for path, text in given.items()})


SWITCH = SonicSwitch()

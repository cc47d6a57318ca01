"""Check the patterns of unmanaged sections against the files of a switch.

No rendered line may match a pattern, because its owner would be unclear. A plan compares the
running lines that match with the rendered ones, as it does for custom config.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.compile.custom_config.placing import Placed
from fabricgen.compile.custom_config.reading import Read
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.tree.keep import REST, fits, patterns
from fabricgen.core.tree.outline import Item, Misplaced, lines, outline, put, written
from fabricgen.model.fabric.own_lines import FILES, OwnText
from fabricgen.nos.registry import nos, nos_of, platforms

if TYPE_CHECKING:
    from fabricgen.core.provenance import Provenance
    from fabricgen.model.fabric.switch import Site, SwitchSlice
    from fabricgen.nos.nos import Nos
    from fabricgen.nos.own_file import OwnFile

_HINT = "use a narrower pattern that matches no rendered line"
_Found = tuple[str, str]


@dataclass(slots=True, kw_only=True)
class KeptSections:
    """Check of the patterns of unmanaged sections. lifted: see OwnLines."""

    lifted: bool
    _said: dict[tuple[OwnText, str], tuple[str, list[str]]] = field(default_factory=dict)
    _refused: dict[OwnText, Misplaced] = field(default_factory=dict)
    _used: set[OwnText] = field(default_factory=set)

    def see(
        self, switch_slice: SwitchSlice, unmanaged: Iterable[OwnText], texts: Mapping[str, str]
    ) -> None:
        """Check the patterns of one switch. texts: its files, by path below its folder."""
        runs = nos_of(switch_slice.switch)
        for own in unmanaged:
            if own.kind not in kinds(runs):
                continue
            self._used.add(own)
            try:
                first = dict(reversed([*_rendered(own, runs, texts)]))
            except Misplaced as wrong:
                self._refused[own] = wrong
                continue
            for pattern, line in first.items():
                self._said.setdefault((own, pattern), (line, []))[1].append(
                    switch_slice.switch.name
                )

    def findings(self, site: Site) -> list[Diagnostic]:
        """Return everything that there is to say, once."""
        every = dict.fromkeys(own for fabric in site.fabrics for own in fabric.unmanaged.every())
        refused = (
            _error(Code.KEPT_REFUSED, f"line {wrong.number}: {wrong}", own.because)
            for own, wrong in self._refused.items()
        )
        said = (_kept(*place, *found) for place, found in self._said.items())
        severity = Severity.WARNING if self.lifted else Severity.ERROR
        unused = (_unused(own, severity) for own in every if own not in self._used)
        return [*refused, *said, *unused]


def kinds(runs: Nos) -> tuple[str, ...]:
    """Return the kinds of patterns that a platform takes."""
    return (*runs.own, *((FILES,) if runs.keeps_files else ()))


def _kept(own: OwnText, pattern: str, line: str, names: list[str]) -> Diagnostic:
    more = f" (and on {len(names) - 1} more)" if names[1:] else ""
    sentence = f"{pattern} also matches {line} of {names[0]}{more}, which fabricgen renders"
    return _error(Code.KEPT_IS_RENDERED, sentence, own.because, _HINT)


def _error(code: Code, sentence: str, because: Provenance, hint: str = "") -> Diagnostic:
    return Diagnostic(code, sentence, path=because.main, hint=hint)


def _unused(own: OwnText, severity: Severity) -> Diagnostic:
    able = ", ".join(name for name in platforms() if own.kind in kinds(nos(name)))
    return Diagnostic(
        Code.UNSUPPORTED,
        f"no switch here accepts these patterns: `{own.kind}` is for {able}",
        path=own.because.main,
        hint="move them to switches of that platform",
        severity=severity,
    )


def _rendered(own: OwnText, runs: Nos, texts: Mapping[str, str]) -> Iterator[_Found]:
    """Yield each pattern with a rendered line that it matches; raise Misplaced for a bad one."""
    unmanaged = patterns(own.text)
    if own.kind == FILES:
        return _paths(unmanaged, texts)
    file = runs.own[own.kind].load()
    if file.manner is None:
        return _rows(unmanaged, file, json.loads(texts[file.path]))
    return _lines(unmanaged, outline(texts[file.path], file.manner), file.path)


def _paths(unmanaged: Item, texts: Mapping[str, str]) -> Iterator[_Found]:
    for each in unmanaged.below:
        for path in texts:
            if fits(each.text.strip("/"), path, "/"):
                yield _named(each), path


def _named(pattern: Item) -> str:
    return f"{pattern.at}: `{pattern.text}`"


def _rows(
    unmanaged: Item, file: OwnFile, database: Mapping[str, Mapping[str, object]]
) -> Iterator[_Found]:
    for each in unmanaged.below:
        table = each.text.partition("|")[0]
        if table not in file.tables:
            raise Misplaced(
                each.number, f"fabricgen writes no table {table}, so it is retained without this"
            )
        whole = each.text if "|" in each.text else f"{each.text}|{REST}"
        for key in database.get(table, {}):
            if fits(whole, f"{table}|{key}", "|"):
                yield _named(each), f"{file.path} `{table}|{key}`"


def _lines(unmanaged: Item, root: Item, path: str) -> Iterator[_Found]:
    numbers = {id(item): number for number, (_, item) in enumerate(lines(root), 1) if item}

    def within(patterns: list[Item], section: Item) -> Iterator[_Found]:
        for item in section.below:
            fitting = [each for each in patterns if fits(each.text, item.text)]
            for each in fitting:
                if not each.below:
                    yield _named(each), f"{path}:{numbers[id(item)]} `{item.text}`"
            yield from within([below for each in fitting for below in each.below], item)

    return within(unmanaged.below, root)


def contradictions(
    switch_slice: SwitchSlice, texts: Mapping[str, str], kept: Mapping[str, str]
) -> Iterator[str]:
    """Yield unmanaged lines of the running configuration that contradict rendered lines.

    texts: the files of the switch, by path. kept: unmanaged lines by kind, from the driver.
    """
    runs = nos_of(switch_slice.switch)
    for kind, late in runs.own.items():
        file, text = late.load(), kept.get(kind, "")
        if not text or file.manner is None:
            continue
        owner = OwnText(kind=kind, text="", because=switch_slice.switch.because)
        placed = Placed(file=file, before=texts[file.path])
        root = outline(placed.before, file.manner)
        placed.clashes += put(written(text, file.manner, owner), root, file.manner)
        rows = list(lines(root))
        placed.after = "".join(f"{line}\n" for line, _ in rows)
        placed.rows = [item for _, item in rows]
        assert runs.grammar is not None
        for fault in Read(placed, runs.grammar.load()[file.path]).faults():
            yield f"{fault.why} {fault.where}".strip(" ,")

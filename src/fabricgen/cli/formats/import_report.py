"""Reports the result of an import as text, Markdown or data."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from fabricgen.cli.plain import shell_word
from fabricgen.core.diagnostics import dotted
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted
from fabricgen.importer.tree import at
from fabricgen.importer.written import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.adopted import Outcome
    from fabricgen.importer.fit import ImportResult, Remainder

_NUMBER = re.compile(r"\d+")
SHOWN, FILES = 40, 8
"""Remainders and files that a text lists without --verbose."""


def text(outcome: Outcome, target: str, *, whole: bool, markdown: bool = False) -> str:
    """Return the report. whole: list all remainders."""
    adopted = outcome.adopted
    assert adopted is not None
    rows = [*_found(outcome, adopted), *_pinned(adopted), *_left(outcome, whole=whole)]
    rest = _grouped(adopted, whole=whole)
    shown = rest if whole else rest[:SHOWN]
    remaining = [_row(same) for same in shown]
    if len(shown) < len(rest):
        remaining.append(f"and {len(rest) - len(shown):,} more (--verbose lists all)")
    after = _next(adopted, target)
    if not markdown:
        lines = [*rows, *(f"  {row}" for row in remaining), after]
        return "".join(f"{clean(line)}\n" for line in lines)
    head = ["# Import report", "", *(f"- {clean(row)}" for row in rows), ""]
    body = ["## Remaining lines", "", *(f"- {clean(row)}" for row in remaining), ""] if rest else []
    return "\n".join([*head, *body, after, ""])


def _found(outcome: Outcome, adopted: ImportResult) -> Iterator[str]:
    tree = adopted.tree
    kinds = {name: name for name in ("backend", "frontend") if name in tree}
    kinds |= {name: keys.get("kind", "") for name, keys in (at(tree, "fabrics") or {}).items()}
    files = counted(len(outcome.files), "file")
    yield f"wrote {files}, {counted(lines_of(outcome.files), 'line')} of intent"
    fabrics = ", ".join(kinds) or "no fabric"
    tenants = len(at(tree, "tenants") or {})
    more = f", {counted(tenants, 'tenant')}" if tenants else ""
    yield f"found: {counted(outcome.switches, 'switch')} in {fabrics}{more}"
    left = adopted.lines - adopted.designed - adopted.own
    yield (
        f"rendered: {adopted.share:.1f} % of {counted(adopted.lines, 'line')}, "
        f"{adopted.designed:,} by keys and {adopted.own:,} by custom config; {left:,} remain"
    )
    extra = sum(row.ours for row in adopted.remainders)
    if extra:
        yield f"rendered, but not in the given files: {counted(extra, 'line')}"
    if adopted.absent:
        names = Counter(path for _, path in adopted.absent)
        several = ", ".join(f"{path} of {many}" for path, many in sorted(names.items()))
        yield f"rendered files without a given file: {several}"


def _pinned(adopted: ImportResult) -> Iterator[str]:
    if adopted.pins:
        kinds = Counter(pin.kind for pin in adopted.pins)
        yield "overrides: " + ", ".join(counted(many, kind) for kind, many in sorted(kinds.items()))
    if adopted.own > 0:
        yield "custom config: " + ", ".join(_places(adopted.tree, ()))


def _left(outcome: Outcome, *, whole: bool) -> Iterator[str]:
    """Yield the line about files that were not used."""
    shown = outcome.left if whole else outcome.left[:FILES]
    more = len(outcome.left) - len(shown)
    if shown:
        named = ", ".join(shown) + (f" and {counted(more, 'more file')}" if more else "")
        yield f"not used, neither configuration nor inventory: {named}"


def _places(tree: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Yield the places with custom config."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key == "custom_config":
            yield dotted(path)
        else:
            yield from _places(value, (*path, key))


def _grouped(adopted: ImportResult, *, whole: bool) -> list[list[Remainder]]:
    """Group equal remainders. Without `whole`, lines that differ in numbers are equal, too."""
    groups: dict[tuple[str, bool], list[Remainder]] = {}
    for row in adopted.remainders:
        line = row.line if whole else _NUMBER.sub("#", row.line)
        groups.setdefault((line, row.ours), []).append(row)
    return list(groups.values())


def _row(same: list[Remainder]) -> str:
    first = same[0]
    place = first.at.file if first.ours else f"{first.at.file}:{first.at.line}"
    more = f" (and {counted(len(same) - 1, 'similar line')})" if same[1:] else ""
    return f"{place}{more} {first.line}: {first.why}"


def _next(adopted: ImportResult, target: str) -> str:
    site = shell_word(target)
    check, render = (
        f"fabricgen check {site}",
        f"fabricgen render {site} -o {shell_word(f'{target}-rendered')}",
    )
    if not adopted.compiles:
        return f"next: repair the errors, then {check}"
    if adopted.remainders:
        return f"next: review the remaining lines, then {check} && {render}"
    return f"next: {render}"


def data(outcome: Outcome) -> dict[str, Any]:
    """Return the report as data."""
    adopted = outcome.adopted
    assert adopted is not None
    return {
        "files": sorted(outcome.files),
        "switches": outcome.switches,
        "lines": adopted.lines,
        "by_keys": adopted.designed,
        "own_lines": adopted.own,
        "share": round(adopted.share, 2),
        "compiles": adopted.compiles,
        "pins": [{"path": dotted(pin.path), "value": pin.value} for pin in adopted.pins],
        "remainders": [
            {
                "switch": row.switch,
                "file": row.at.file,
                "line": None if row.ours else row.at.line,
                "text": row.line,
                "why": row.why,
                "rendered": row.ours,
            }
            for row in adopted.remainders
        ],
        "absent": [{"switch": name, "file": path} for name, path in adopted.absent],
        "left": list(outcome.left),
    }

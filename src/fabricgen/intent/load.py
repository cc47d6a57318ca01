"""A site directory in, its Intent (or everything that is wrong with it) out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fabricgen.diagnostics import Code, Diagnostic, Position, has_errors
from fabricgen.intent.files import read_site
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.wording import finding
from fabricgen.record import record

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.own_templates import OwnTemplates

MOST_ERRORS = 1_000  # one run says everything a person can still read
MERGED = ("tenants",)  # keys that several files may each add entries to


@record(kw_only=True)
class Loaded:
    """The result of loading: an intent unless there are errors, and the map to its places.

    templates: the site's own.
    """

    intent: Intent | None
    source: SourceMap
    findings: tuple[Diagnostic, ...]
    templates: OwnTemplates = ()


def load_site(site: Path) -> Loaded:
    """Read and validate all files of a site directory. Never raises for what people write."""
    return load_texts(*read_site(site))


def load_texts(
    texts: dict[str, str], findings: list[Diagnostic] | None = None, templates: OwnTemplates = ()
) -> Loaded:
    """Validate a site given as file name → text (from a directory, or from a git revision)."""
    found = list(findings or ())
    source = SourceMap()
    top = Position(next(iter(texts), "site"), 1, 1)
    source.mark(source.root, Marks(top))
    for name, text in texts.items():
        data, wrong = read_text(name, text, source)
        found.extend(wrong)
        if data is not None and not isinstance(data, dict):
            found.append(
                Diagnostic(
                    Code.BAD_VALUE,
                    "a site file is a mapping of keys such as site, backend, frontend",
                    position=Position(name, 1, 1),
                )
            )
        elif data:
            _merge(data, source, found)
    if has_errors(found):
        return Loaded(intent=None, source=source, findings=tuple(found))
    intent, wrong = _validate(source, top)
    return Loaded(intent=intent, source=source, findings=(*found, *wrong), templates=templates)


def _merge(data: dict[str, Any], source: SourceMap, found: list[Diagnostic]) -> None:
    """Add one file's top-level keys to the site; name both places of a clash."""
    _merge_mapping(source.root, data, source, found, top=True)


def _merge_mapping(
    into: dict[str, Any],
    data: dict[str, Any],
    source: SourceMap,
    found: list[Diagnostic],
    *,
    top: bool,
) -> None:
    marks, target = source.marks(data), source.marks(into)
    assert marks is not None
    assert target is not None
    for key, value in data.items():
        if top and key in MERGED and isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge_mapping(into[key], value, source, found, top=False)
            continue
        if key in into:
            found.append(
                Diagnostic(
                    Code.KEY_IN_TWO_FILES,
                    f"the key {key!r} stands here and at {target.keys[key]}",
                    hint="keep one of the two",
                    position=marks.keys[key],
                )
            )
            continue
        into[key], target.keys[key], target.values[key] = value, marks.keys[key], marks.values[key]


def _validate(source: SourceMap, top: Position) -> tuple[Intent | None, list[Diagnostic]]:
    """Validate the merged site; what has no place of its own stands at `top`."""
    try:
        return Intent.model_validate(source.root), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        found = [finding(item, source.value(item["loc"])) for item in details[:MOST_ERRORS]]
        if len(details) > MOST_ERRORS:
            rest = f"{len(details) - MOST_ERRORS:,} more errors, not shown"
            found.append(Diagnostic(Code.BAD_VALUE, rest, path=found[-1].path))
        return None, [item if item.path else replace(item, position=top) for item in found]

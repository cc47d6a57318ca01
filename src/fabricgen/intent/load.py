"""Loads a site directory to an `Intent` and reports every error in it."""

from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Position, has_errors, nearest
from fabricgen.core.own_templates import OwnTemplates
from fabricgen.core.progress import stage
from fabricgen.core.record import record
from fabricgen.intent.files import PRICES, is_fact, read_site
from fabricgen.intent.model.intent import FABRIC_KINDS, Intent
from fabricgen.intent.salvage import salvaged
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.unions import as_meant
from fabricgen.intent.wording import finding, known_keys
from fabricgen.model.catalog.catalog import SHIPPED, Catalog

MOST_ERRORS = 1_000  # one run says everything a person can still read
MERGED = (
    "tenants",
    "jobs",
    "fabrics",
    "servers",
)  # keys that several files may each add entries to


@record(kw_only=True)
class Loaded:
    """Result of loading a site, with the map to its places.

    Attributes:
        intent: The intent without refused values, if findings has errors; None if nothing could be
            read.
        refused: Paths of the refused values.
        templates: Custom templates of the site.
        facts: Texts of the site's hardware facts, by their paths in the site.
    """

    intent: Intent | None
    source: SourceMap
    findings: tuple[Diagnostic, ...]
    templates: OwnTemplates = ()
    refused: tuple[IntentPath, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)


def load_site(site: Path) -> Loaded:
    """Read and validate all files of a site directory. Never raises for errors in its files."""
    with stage("loading"):
        return load_texts(*read_site(site))


def load_texts(
    texts: dict[str, str],
    findings: list[Diagnostic] | None = None,
    templates: OwnTemplates = (),
    root: str = "",
) -> Loaded:
    """Validate a site given as file name → text (from a directory, or from a git revision).

    `root`: the prefix of the site's paths in these names.
    """
    facts = {name: text for name, text in texts.items() if is_fact(name.removeprefix(root))}
    catalog, odd, values = _catalog(facts)
    texts = {name: text for name, text in texts.items() if name not in facts}
    problems = [*(findings or ()), *odd]
    unread = has_errors(findings or ())
    source = SourceMap()
    source.values = values
    top = Position(next(iter(texts), "site"), 1, 1)
    source.mark(source.root, Marks(top))
    for name, text in texts.items():
        data, wrong = read_text(name, text, source)
        problems.extend(wrong)
        unread = unread or (data is None and has_errors(wrong))
        if data is not None and not isinstance(data, dict):
            unread = True
            problems.append(
                Diagnostic(
                    Code.BAD_VALUE,
                    "a site file must be a mapping of keys such as site, backend, frontend",
                    position=Position(name, 1, 1),
                )
            )
        elif data:
            _merge(data, source, problems)
    if unread and not source.root:
        return Loaded(intent=None, source=source, findings=tuple(problems), templates=templates)
    absent = tuple((key,) for key in Intent.model_fields if unread and key not in source.root)
    intent, wrong, refused = _validate(source, top, absent)
    return Loaded(
        intent=intent.naming(catalog) if facts else intent,
        source=source,
        findings=(*problems, *wrong),
        facts={inner: text for name, text in facts.items() if (inner := _told(name, root))},
        templates=templates,
        refused=refused,
    )


def _told(name: str, root: str) -> str:
    """Return the path of a facts file below the site; empty for prices, which no render uses."""
    inner = name.removeprefix(root)
    return inner if inner != PRICES else ""


def _catalog(facts: dict[str, str]) -> tuple[Catalog, tuple[Diagnostic, ...], int]:
    """Return the hardware catalog, the errors in the site's facts, and their number of values."""
    if not facts:
        return SHIPPED, (), 0
    from fabricgen.intent.own_catalog import own_catalog  # noqa: PLC0415 - few sites bring any

    brought = own_catalog(facts)
    return brought.catalog, brought.findings, brought.values


def _merge(data: dict[str, Any], source: SourceMap, problems: list[Diagnostic]) -> None:
    """Add the top-level keys of one file to the site; report both places of a clash."""
    _merge_mapping(source.root, data, source, problems, top=True)


def _merge_mapping(
    into: dict[str, Any],
    data: dict[str, Any],
    source: SourceMap,
    problems: list[Diagnostic],
    *,
    top: bool,
) -> None:
    marks, target = source.marks(data), source.marks(into)
    assert marks is not None
    assert target is not None
    for key, value in data.items():
        if top and key in MERGED and isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge_mapping(into[key], value, source, problems, top=False)
            continue
        if key in into:
            problems.append(
                Diagnostic(
                    Code.KEY_IN_TWO_FILES,
                    f"the key {key!r} is here and at {target.keys[key]}",
                    hint="keep one of them",
                    position=marks.keys[key],
                )
            )
            continue
        into[key], target.keys[key], target.values[key] = value, marks.keys[key], marks.values[key]


def _validate(
    source: SourceMap, top: Position, absent: tuple[IntentPath, ...]
) -> tuple[Intent, list[Diagnostic], tuple[IntentPath, ...]]:
    """Validate the merged site. Findings without a place are reported at `top`.

    `absent`: keys that may be in a file that could not be read.
    """
    intent, details = _validated(source.root)
    details = as_meant(details, source.value)
    told = [item for item in details if item["loc"] not in absent]
    problems = [
        finding(item, source.value(item["loc"]), fabric=source.value((*item["loc"][:2], "kind")))
        for item in told[:MOST_ERRORS]
    ]
    if len(told) > MOST_ERRORS:
        rest = f"{len(told) - MOST_ERRORS:,} more errors, not shown"
        problems.append(Diagnostic(Code.BAD_VALUE, rest, path=problems[-1].path))
    refused = (*absent, *(path for item in details for path in _refused(item, source)))
    if intent is None or absent:
        intent = salvaged(Intent, source.root, refused)
    return (
        intent,
        [item if item.path else replace(item, position=top) for item in problems],
        refused,
    )


def _validated(data: dict[str, Any]) -> tuple[Intent | None, list[ErrorDetails]]:
    try:
        return Intent.model_validate(data), []
    except ValidationError as error:
        items = error.errors(include_url=False, include_input=False)
        return None, [{**item, "loc": _place(item["loc"])} for item in items]


def _place(loc: IntentPath) -> IntentPath:
    """Return the place of an error, without the fabric kind that pydantic adds to the path."""
    tagged = loc[:1] == ("fabrics",) and len(loc) > 2 and loc[2] in FABRIC_KINDS
    return (*loc[:2], *loc[3:]) if tagged else loc


def _refused(item: ErrorDetails, source: SourceMap) -> Iterator[IntentPath]:
    """Yield the unknown values after an error: a plain list as a whole, and misspelled keys."""
    path = item["loc"]
    above = source.value(path[:-1])
    entry = above[path[-1]] if isinstance(above, list) and isinstance(path[-1], int) else {}
    plain = not isinstance(entry, dict)
    yield path[:-1] if plain else path
    if item["type"] == "extra_forbidden":
        meant = nearest(str(path[-1]), known_keys(path[:-1]))
        if meant is not None and meant not in above:
            yield (*path[:-1], meant)

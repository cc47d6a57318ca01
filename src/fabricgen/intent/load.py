"""A site directory in, its Intent (or everything that is wrong with it) out."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fabricgen.diagnostics import Code, Diagnostic, Position, Severity, has_errors
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.wording import finding
from fabricgen.own_templates import OwnTemplates, is_template, read_templates
from fabricgen.record import record

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE = 64 * 2**20
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


def site_files(site: Path) -> list[Path]:
    """Return every YAML file of a site directory, in a stable order; hidden folders are skipped."""
    return _yaml(_visible(site))


def _yaml(found: list[Path]) -> list[Path]:
    return [
        path
        for path in found
        if path.suffix in (".yaml", ".yml") and (path.is_file() or path.is_symlink())
    ]


def load_site(site: Path) -> Loaded:
    """Read and validate all files of a site directory. Never raises for what people write."""
    texts: dict[str, str] = {}
    findings: list[Diagnostic] = []
    wrong = _not_a_folder(site)
    if wrong is not None:
        return Loaded(intent=None, source=SourceMap(), findings=(wrong,))
    found = _visible(site)
    for path in _yaml(found):
        text = _read(path, findings)
        if text is not None:
            texts[_name(path)] = text
    if not texts and not findings:
        findings.append(
            Diagnostic(
                Code.UNREADABLE,
                f"no *.yaml file in {str(site)!r}",
                hint="`fabricgen init DIR` writes a valid site to start from",
            )
        )
    findings.extend(
        Diagnostic(
            Code.UNREADABLE,
            "a link to a folder; what is in it is not read",
            position=Position(_name(path), 1, 1),
            hint="put the files here, or link each of them",
            severity=Severity.WARNING,
        )
        for path in found
        if path.is_symlink() and path.is_dir()
    )
    templates, wrong_templates = read_templates(site)
    return load_texts(texts, [*findings, *wrong_templates], templates)


def _visible(site: Path) -> list[Path]:
    found = [
        path
        for path in site.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(site).parts)
        and not is_template(path.relative_to(site).as_posix())
    ]
    return sorted(found, key=lambda path: path.relative_to(site).as_posix())


def _not_a_folder(site: Path) -> Diagnostic | None:
    try:
        if stat.S_ISDIR(site.stat().st_mode):
            return None
        said = "is not a directory"
    except FileNotFoundError:
        said = "does not exist"
    except OSError as error:
        said = f"cannot be read: {error.strerror}"
    return Diagnostic(
        Code.UNREADABLE, f"the site {str(site)!r} {said}", hint="name a directory with *.yaml files"
    )


def _name(path: Path) -> str:
    """Return a path as text that can be printed, whatever bytes the file's name has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


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


def _read(path: Path, findings: list[Diagnostic]) -> str | None:
    place = Position(_name(path), 1, 1)
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):  # a pipe or a terminal would be waited for
            findings.append(Diagnostic(Code.UNREADABLE, "not a plain file", position=place))
            return None
        if facts.st_size > MAX_FILE:
            findings.append(
                Diagnostic(Code.TOO_DEEP_OR_LARGE, "a file of more than 64 MiB", position=place)
            )
            return None
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        findings.append(
            Diagnostic(
                Code.UNREADABLE,
                f"the byte {error.object[error.start]:02X} is not UTF-8 text",
                position=Position(place.file, line, column),
                hint="save the file as UTF-8",
            )
        )
    except OSError as error:
        findings.append(
            Diagnostic(Code.UNREADABLE, f"cannot be read: {error.strerror}", position=place)
        )
    return None


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

"""A site directory in, its Intent (or everything that is wrong with it) out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fabricgen.diagnostics import (
    Code,
    Diagnostic,
    IntentPath,
    Position,
    did_you_mean,
    has_errors,
)
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.source import Marks, SourceMap, read_text

MAX_FILE = 64 * 2**20
MERGED = ("tenants",)  # keys that several files may each add entries to


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading: an intent unless there are errors, and the map to its places."""

    intent: Intent | None
    source: SourceMap
    findings: tuple[Diagnostic, ...]


def site_files(site: Path) -> list[Path]:
    """Return every YAML file of a site directory, in a stable order; hidden folders are skipped."""
    found = [
        path
        for path in site.rglob("*")
        if path.suffix in (".yaml", ".yml")
        and not any(part.startswith(".") for part in path.relative_to(site).parts)
        and (path.is_file() or path.is_symlink())
    ]
    return sorted(found, key=lambda path: path.relative_to(site).as_posix())


def load_site(site: Path) -> Loaded:
    """Read and validate all files of a site directory. Never raises for what people write."""
    texts: dict[str, str] = {}
    findings: list[Diagnostic] = []
    if not site.is_dir():
        said = "is not a directory" if site.exists() else "does not exist"
        findings.append(Diagnostic(Code.UNREADABLE, f"the site {str(site)!r} {said}",
                                   hint="name a directory with *.yaml files"))
        return Loaded(None, SourceMap(), tuple(findings))
    for path in site_files(site):
        text = _read(path, findings)
        if text is not None:
            texts[str(path)] = text
    if not texts and not findings:
        findings.append(Diagnostic(Code.UNREADABLE, f"no *.yaml file in {str(site)!r}",
                                   hint="`fabricgen init DIR` writes a valid site to start from"))
    return load_texts(texts, findings)


def load_texts(texts: dict[str, str], findings: list[Diagnostic] | None = None) -> Loaded:
    """Validate a site given as file name → text (from a directory, or from a git revision)."""
    found = list(findings or ())
    source = SourceMap()
    root_marks = Marks(Position(next(iter(texts), "site"), 1, 1))
    source.mark(source.root, root_marks)
    for name, text in texts.items():
        data, wrong = read_text(name, text, source)
        found.extend(wrong)
        if data is not None and not isinstance(data, dict):
            found.append(Diagnostic(
                Code.BAD_VALUE, "a site file is a mapping of keys such as site, backend, frontend",
                position=Position(name, 1, 1)))
        elif data:
            _merge(data, source, found)
    if has_errors(found):
        return Loaded(None, source, tuple(found))
    intent, wrong = _validate(source)
    return Loaded(intent, source, (*found, *wrong))


def _read(path: Path, findings: list[Diagnostic]) -> str | None:
    place = Position(str(path), 1, 1)
    try:
        if path.stat().st_size > MAX_FILE:
            findings.append(Diagnostic(Code.TOO_DEEP_OR_LARGE, "a file of more than 64 MiB",
                                       position=place))
            return None
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        findings.append(Diagnostic(Code.UNREADABLE, f"not UTF-8 text (byte {error.start})",
                                   position=place, hint="save the file as UTF-8"))
    except OSError as error:
        findings.append(Diagnostic(Code.UNREADABLE, f"cannot be read: {error.strerror}",
                                   position=place))
    return None


def _merge(data: dict[str, Any], source: SourceMap, found: list[Diagnostic]) -> None:
    """Add one file's top-level keys to the site; name both places of a clash."""
    _merge_mapping(source.root, data, source, found, top=True)


def _merge_mapping(
    into: dict[str, Any], data: dict[str, Any], source: SourceMap,
    found: list[Diagnostic], *, top: bool,
) -> None:
    marks, target = source.marks(data), source.marks(into)
    assert marks is not None
    assert target is not None
    for key, value in data.items():
        if top and key in MERGED and isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge_mapping(into[key], value, source, found, top=False)
            continue
        if key in into:
            found.append(Diagnostic(
                Code.KEY_IN_TWO_FILES,
                f"the key {key!r} stands here and at {target.keys[key]}",
                hint="keep one of the two", position=marks.keys[key]))
            continue
        into[key], target.keys[key], target.values[key] = value, marks.keys[key], marks.values[key]


def _validate(source: SourceMap) -> tuple[Intent | None, list[Diagnostic]]:
    try:
        return Intent.model_validate(source.root), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        return None, [_finding(item, source) for item in details]


def _finding(item: ErrorDetails, source: SourceMap) -> Diagnostic:
    path: IntentPath = tuple(item["loc"])
    kind, message = item["type"], item["msg"]
    if kind == "extra_forbidden":
        return Diagnostic(Code.UNKNOWN_KEY, f"unknown key {path[-1]!r}", path,
                          did_you_mean(str(path[-1]), _known_keys(path[:-1])), at_key=True)
    if kind == "missing":
        return Diagnostic(Code.MISSING_KEY, f"the key {path[-1]!r} is missing", path[:-1],
                          _missing_hint(path), at_key=True)
    code = Code.UNSAFE_TEXT if kind == "unsafe" else Code.BAD_VALUE
    named = ".".join(str(part) for part in path if part != "[key]")
    return Diagnostic(code, f"{named}: {_plain(message)}", path, _value_hint(kind, path))


def _plain(message: str) -> str:
    message = message.removeprefix("Input should be ").removeprefix("Value error, ")
    if message.startswith("a valid "):
        return "must be " + message
    if message[:1].isupper() and not message[:3].isupper():
        message = message[0].lower() + message[1:]
    return message if " " in message and not message.startswith(("'", "less", "greater")) else \
        f"must be {message}"


def _value_hint(kind: str, path: IntentPath) -> str:
    if kind == "string_type":
        return "put the value in quotes"
    if kind == "string_pattern_mismatch" and "[key]" in path:
        return "names have lower-case letters, digits and '-', and start with a letter"
    return ""


def _missing_hint(path: IntentPath) -> str:
    field = _field(path)
    return str(field.description) if field is not None and field.description else ""


def _field(path: IntentPath) -> Any:
    model = _model_at(path[:-1])
    return model.model_fields.get(str(path[-1])) if model is not None else None


def _known_keys(path: IntentPath) -> list[str]:
    model = _model_at(path)
    return list(model.model_fields) if model is not None else []


def _model_at(path: IntentPath) -> type[BaseModel] | None:
    """Return the model that validates the mapping at `path`, walking the annotations."""
    here: Any = Intent
    for segment in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(str(segment))
            if field is None:
                return None
            here = _inner(field.annotation)
        # a dict's or list's entry: `here` is already the entry's model
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None


def _inner(annotation: Any) -> Any:
    """Return the model inside Optional, list, dict and Annotated wrappings, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in reversed(getattr(annotation, "__args__", ())):
        found = _inner(part)
        if found is not None:
            return found
    return None

"""Set and restore the kernel settings of etc/sysctl.d and report refused ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from fabricgen.nos.shared.onswitch import disk

FOLDER = "etc/sysctl.d/"


def settings(texts: Iterable[str]) -> dict[str, str]:
    """Return the settings of the files, by key as written; a later file wins (sysctl.d(5))."""
    settled = {}
    for text in texts:
        for line in text.splitlines():
            key, equals, value = line.partition("=")
            if equals and not key.lstrip().startswith(("#", ";")):
                settled[key.strip()] = " ".join(value.split())
    return settled


def values(keys: Iterable[str]) -> dict[str, str]:
    """Return the kernel's current values, without unknown keys."""
    now = {}
    for key in keys:
        value = _read(key)
        if value is not None:
            now[key] = value
    return now


def put(wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Set the values; return errors and missing keys.

    A key with a minus may be missing or refused, as in sysctl.d(5).
    """
    refused, missing = [], []
    for key, value in wanted.items():
        before = _read(key)
        if before is None:
            if not key.startswith("-"):
                missing.append(f"kernel setting {key} does not exist in this kernel")
        elif before != value and not _write(key, value) and not key.startswith("-"):
            refused.append(f"the kernel refuses {key} = {value}")
    return refused, missing


def _place(key: str) -> Path:
    """Return the file of a key; it is written with dots, or with slashes (sysctl.d(5))."""
    name = key.lstrip("-").strip()
    slash, dot = name.find("/"), name.find(".")
    if slash < 0 or 0 <= dot < slash:
        name = name.translate(str.maketrans("./", "/."))
    return disk.ROOT / "proc/sys" / name


def _read(key: str) -> str | None:
    try:
        return " ".join(_place(key).read_text().split())
    except OSError:
        return None


def _write(key: str, value: str) -> bool:
    try:
        _place(key).write_text(value)
    except OSError:
        return False
    return _read(key) == value

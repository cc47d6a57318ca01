"""The manifest of a rendered tree: which files are in it, with the sha256 of each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

FILE = "manifest.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the tree."""

    sha256: str
    executable: bool


def sha256(text: str) -> str:
    """Return the hash of a file's text as it stands on disk."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_manifest(folder: Path, site: str, entries: dict[str, Entry]) -> None:
    """Write the manifest; same entries, same bytes."""
    files = {path: {"sha256": entry.sha256, **({"executable": True} if entry.executable else {})}
             for path, entry in sorted(entries.items())}
    text = json.dumps({"format_version": FORMAT, "site": site, "files": files}, indent=1)
    (folder / FILE).write_text(text + "\n")


def read_manifest(folder: Path) -> dict[str, Entry] | None:
    """Return the entries of a tree; None when the folder holds no manifest that can be read."""
    try:
        data = json.loads((folder / FILE).read_text())
        if data["format_version"] != FORMAT:
            return None
        return {path: Entry(item["sha256"], item.get("executable", False))
                for path, item in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None

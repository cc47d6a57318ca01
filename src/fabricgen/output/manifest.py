"""The manifest of a rendered tree: each file's sha256, and what each switch was rendered from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    from pathlib import Path

FILE = "manifest.json"
FORMAT = 1


def folder_of_file(path: str) -> str:
    """Return the folder of the switch or server that a file of the tree belongs to."""
    return "/".join(path.split("/")[:2])


@record()
class Entry:
    """One file of the tree."""

    sha256: str
    executable: bool


@dataclass(slots=True)
class Manifest:
    """A tree. `sources`: a switch's folder to the fingerprint of what it was rendered from."""

    files: dict[str, Entry] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


def sha256(text: str) -> str:
    """Return the hash of a file's text as it stands on disk."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_manifest(folder: Path, site: str, manifest: Manifest) -> None:
    """Write the manifest; same entries, same bytes."""
    files = {
        path: {"sha256": entry.sha256, **({"executable": True} if entry.executable else {})}
        for path, entry in sorted(manifest.files.items())
    }
    made = {
        "format_version": FORMAT,
        "site": site,
        "files": files,
        "sources": dict(sorted(manifest.sources.items())),
    }
    (folder / FILE).write_text(json.dumps(made, indent=1) + "\n")


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a tree; None when the folder holds none that can be read."""
    try:
        data = json.loads((folder / FILE).read_text())
        if data["format_version"] != FORMAT:
            return None
        files = {
            path: Entry(item["sha256"], item.get("executable", False))
            for path, item in data["files"].items()
        }
        return Manifest(files, dict(data["sources"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None

"""Write and read the manifest of a rendered tree: sha256 of each file, inputs and findings."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabricgen.core.confined import Folder, is_below
from fabricgen.core.record import record
from fabricgen.intent.files import TREE_MARK

FILE = TREE_MARK
WAITING = f".next-{FILE}"  # in the folder of a fabric that was swapped, until it has moved up
FORMAT = 2
BYTES = "surrogateescape"
"""Encoding of bytes that are not UTF-8 in the text of a file, which restores them."""
SERVER = ".yaml"
"""End of the name of a server's file, which has the files of the server's folder."""
_READABLE = (1, FORMAT)  # 1 had no inputs, so its tree is rendered again


def folder_of_file(path: str) -> str:
    """Return the folder of the switch or server that a file of the tree belongs to."""
    parts = path.split("/", 2)
    return "/".join(parts[:2]) if parts[2:] else path.removesuffix(SERVER)


@record()
class Entry:
    """One file of the tree."""

    sha256: str
    executable: bool


@dataclass(slots=True, kw_only=True)
class Manifest:
    """Manifest of a tree.

    inputs: the hash of all inputs; empty when the tree was rendered in several steps. parts: the
    same for each fabric and each switch with tenants, so that unchanged parts are not rendered.
    findings: the printed findings, to print them again when nothing is rendered.
    """

    site: str = ""
    inputs: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    findings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, Entry] = field(default_factory=dict)


def sha256(text: str) -> str:
    """Return the hash of a file's text on disk."""
    return hashlib.sha256(text.encode(errors=BYTES)).hexdigest()


def write_manifest(place: Path, manifest: Manifest) -> None:
    """Write the manifest; same entries, same bytes."""
    files = {
        path: {"sha256": entry.sha256, **({"executable": True} if entry.executable else {})}
        for path, entry in sorted(manifest.files.items())
    }
    whole = {
        "format_version": FORMAT,
        "site": manifest.site,
        "inputs": manifest.inputs,
        "parts": manifest.parts,
        "findings": manifest.findings,
        "files": files,
    }
    place.write_text(json.dumps(whole, indent=1) + "\n")


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a tree; None when the folder holds none that can be read."""
    try:
        return parsed(manifest_bytes(folder))
    except OSError:
        return None


def parsed(written: bytes) -> Manifest | None:
    """Return the manifest in a file; None when it cannot be read."""
    try:
        data = json.loads(written)
        if data["format_version"] not in _READABLE:
            return None
        manifest = Manifest(
            site=data["site"],
            inputs=data.get("inputs", ""),
            parts=dict(data.get("parts", {})),
            findings=list(data.get("findings", ())),
            files={
                path: Entry(item["sha256"], item.get("executable", False))
                for path, item in data["files"].items()
            },
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return manifest if all(map(is_below, manifest.files)) else None


def manifest_bytes(folder: Path) -> bytes:
    """Return the manifest of a tree on disk.

    Raises:
        OSError: There is no manifest.
    """
    place = next(waiting(folder), folder / FILE)
    with Folder(folder) as tree:
        return tree.read(place.relative_to(folder).as_posix())


def waiting(folder: Path) -> Iterator[Path]:
    """Yield the manifest of a tree that has not moved up yet, if one has not."""
    return folder.glob(f"*/{WAITING}")

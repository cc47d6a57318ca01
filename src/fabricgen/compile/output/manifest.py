"""Write and read the manifest of a rendered tree: sha256 of each file, inputs and findings."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabricgen.core.confined import Folder, is_below
from fabricgen.core.record import record
from fabricgen.intent.files import TREE_MARK

FILE = TREE_MARK
NEXT = ".next"
"""Folder in a tree with new files, until all new files are in their places."""
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

    Attributes:
        inputs: Hash of all inputs. It is empty if the tree was rendered in several steps.
        findings: Printed findings, which are printed again if nothing is rendered.
    """

    site: str = ""
    inputs: str = ""
    findings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, Entry] = field(default_factory=dict)


def sha256(text: str) -> str:
    """Return the hash of a file's text on disk."""
    return hashlib.sha256(text.encode(errors=BYTES)).hexdigest()


def write_manifest(place: Path, manifest: Manifest) -> None:
    """Write the manifest; same entries, same bytes.

    The files are lines of text, because `json` is ten times slower with an indentation.
    """
    whole = {
        "format_version": FORMAT,
        "site": manifest.site,
        "inputs": manifest.inputs,
        "findings": manifest.findings,
    }
    head = json.dumps(whole, indent=1).removesuffix("\n}")
    files = ",\n".join(_row(path, entry) for path, entry in sorted(manifest.files.items()))
    place.write_text(f'{head},\n "files": {{\n{files}\n }}\n}}\n')


def _row(path: str, entry: Entry) -> str:
    executable = ',\n   "executable": true' if entry.executable else ""
    return f'  {json.dumps(path)}: {{\n   "sha256": "{entry.sha256}"{executable}\n  }}'


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
    """Return the manifest of a tree on disk, with the files in `NEXT` in their place.

    Raises:
        OSError: There is no manifest.
    """
    with Folder(folder) as tree:
        own = tree.read(FILE)
        try:
            return tree.read(f"{NEXT}/{FILE}")
        except FileNotFoundError:
            return own


def tree_bytes(tree: Folder, path: str) -> bytes:
    """Return the content of a file of a tree, also of one that waits in `NEXT`.

    Raises:
        OSError: The file cannot be read.
    """
    with suppress(FileNotFoundError):
        return tree.read(f"{NEXT}/{path}")
    return tree.read(path)

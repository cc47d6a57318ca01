"""Remember what this machine rendered into a folder.

A person who edits a rendered file can also edit its hash in the manifest. The planted line would
then stay until the intent changes. So the cache of the user has the hash of the manifest that was
written last for a folder. No repository reaches this cache. Without the hash, as in a fresh clone,
a render makes every file and compares it with the disk.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fabricgen.compile.output.manifest import Manifest, manifest_bytes, parsed
from fabricgen.core.confined import write_whole


@dataclass(slots=True, kw_only=True)
class Remembered:
    """A tree that this machine wrote.

    Attributes:
        written: Hash of the manifest.
        base: Hash of the inputs that all owners share.
        owners: Hash of each owner's slice, by folder.
        stamps: State of each owner's files on disk, by folder.
    """

    manifest: Manifest
    written: str
    base: str
    owners: Mapping[str, str]
    stamps: Mapping[str, str]

    def is_current(self, target: Path) -> bool:
        """Return whether the tree still has the same manifest."""
        return _hash(target) == self.written


def known(target: Path) -> Remembered | None:
    """Return what is known of a tree; None when its manifest is not the one written here."""
    try:
        noted = json.loads(_place(target).read_text())
        written = manifest_bytes(target)
        manifest = parsed(written)
        if manifest is None or noted["manifest"] != hashlib.sha256(written).hexdigest():
            return None
        return Remembered(
            manifest=manifest,
            written=noted["manifest"],
            base=noted["base"],
            owners=dict(noted["owners"]),
            stamps=dict(noted["stamps"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember(target: Path, base: str, owners: Mapping[str, str], stamps: Mapping[str, str]) -> None:
    """Keep what was just written; where that cannot be, it is not kept."""
    place = _place(target)
    noted = {"manifest": _hash(target), "base": base, "owners": owners, "stamps": stamps}
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, json.dumps(noted))


def _hash(target: Path) -> str:
    try:
        return hashlib.sha256(manifest_bytes(target)).hexdigest()
    except OSError:
        return ""


def _place(target: Path) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - no home is no error
    name = hashlib.sha256(os.fsencode(os.path.realpath(target))).hexdigest()
    return Path(cache) / "fabricgen" / "trees" / name

"""A tree that stands in; its manifest out, if this machine wrote it just as it stands.

Who can edit a rendered file can put its new hash into the manifest, too: then the two agree, and
the line that was planted would stay for as long as the intent does not change. So the hash of the
manifest that was written last for a folder is kept in the cache of the user, which no repository
reaches. Without it, as in a fresh clone, a render makes every file and compares it with the disk.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from fabricgen.compile.output.manifest import Manifest, manifest_bytes, parsed
from fabricgen.core.confined import write_whole


def known(target: Path) -> Manifest | None:
    """Return the manifest of a tree; None when it is another than was written here, or none."""
    try:
        noted = _place(target).read_text()
        written = manifest_bytes(target)
    except (OSError, UnicodeDecodeError):
        return None
    return parsed(written) if noted == _hash(written) else None


def remember(target: Path) -> None:
    """Keep the hash of the manifest that was just written; where that cannot be, it is not kept."""
    place = _place(target)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, _hash(manifest_bytes(target)))


def _hash(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()


def _place(target: Path) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - no home is no error
    name = hashlib.sha256(os.fsencode(os.path.realpath(target))).hexdigest()
    return Path(cache) / "fabricgen" / "trees" / name

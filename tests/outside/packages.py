"""Text of files in, a package with entry points out, found by Python while a test needs it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import invalidate_caches
from textwrap import dedent
from typing import TYPE_CHECKING

from fabricgen import extensions, fingerprint
from fabricgen.catalog import asics, files, nics, switches
from fabricgen.nos import registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

CACHES = (
    extensions.extensions,
    extensions.extension_folders,
    fingerprint.program,
    registry.platforms,
    registry.nos,
    files._folders,
    asics.asic,
    asics._all,
    nics._files,
    nics.nic_model,
    switches._files,
    switches.model_names,
    switches.switch_model,
)


def written(
    folder: Path, files: Mapping[str, str], entries: Mapping[str, Mapping[str, str]]
) -> Path:
    """Write a package `acme-net` as an installer would. entries: seam, name, module:attribute."""
    seams = (
        f"[fabricgen.{seam}]\n" + "".join(f"{name} = {where}\n" for name, where in names.items())
        for seam, names in entries.items()
    )
    told = {"METADATA": "Name: acme-net\nVersion: 1.0\n", "entry_points.txt": "\n".join(seams)}
    recorded = {f"acme_net-1.0.dist-info/{name}": text for name, text in told.items()}
    for path, text in {**files, **recorded}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(dedent(text), encoding="utf-8")
    return folder


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Let Python find what is in a folder, and forget it afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        forget()


def forget() -> None:
    """Empty what remembers the installed packages."""
    invalidate_caches()
    for cache in CACHES:
        cache.cache_clear()

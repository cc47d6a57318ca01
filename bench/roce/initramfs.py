"""Modules, busybox and a first script in; the archive a kernel starts from out.

Format "newc" of the kernel's Documentation/driver-api/early-userspace/buffer-format.rst.
"""

from __future__ import annotations

import gzip
import lzma
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.engine.kernel import MODULES, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.roce.packages import Packages

_FIRST = Path(__file__).with_name("first.sh")
# The root file system comes through virtio. rdma_rxe asks for the algorithm crc32 by name, which
# no modules.dep tells.
_MORE = ("virtio_pci", "9p", "9pnet_virtio", "crc32_generic", "ib_uverbs", "rdma_rxe")
_FOLDERS = ("bin", "proc", "sys", "dev", "new", "modules")


def write(target: Path, packages: Packages) -> None:
    """Write the archive."""
    paths, missing = in_order(packages.kernel.modules, (*_MORE, *MODULES))
    if missing:
        release = packages.kernel.release
        raise LabFailure(f"the kernel {release} has no module {', '.join(missing)}")
    target.write_bytes(gzip.compress(b"".join(_entries(packages, paths)), 1))


def _entries(packages: Packages, paths: list[Path]) -> Iterator[bytes]:
    for name in _FOLDERS:
        yield _entry(name, stat.S_IFDIR | 0o755, b"")
    yield _entry("init", stat.S_IFREG | 0o755, _FIRST.read_bytes())
    busybox = packages.program("usr/bin/busybox").read_bytes()
    yield _entry("bin/busybox", stat.S_IFREG | 0o755, busybox)
    order = []
    for path in paths:
        name = path.name.partition(".")[0] + ".ko"
        order.append(name)
        yield _entry(f"modules/{name}", stat.S_IFREG | 0o644, _plain(path))
    yield _entry("modules/order", stat.S_IFREG | 0o644, "\n".join(order).encode() + b"\n")
    yield _entry("TRAILER!!!", 0, b"")


def _plain(path: Path) -> bytes:
    """Read a module; Debian compresses them since its release 13."""
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def _entry(name: str, mode: int, data: bytes) -> bytes:
    """Pack one file: thirteen hexadecimal numbers, its name, its bytes, each filled up to four."""
    spelled = name.encode() + b"\0"
    # inode, mode, owner, group, links, time, size, device twice two, length of the name, checksum
    numbers = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(spelled), 0)
    head = b"070701" + b"".join(b"%08X" % number for number in numbers)
    return _filled(head + spelled) + _filled(data)


def _filled(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)

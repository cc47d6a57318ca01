"""What the measurement needs of Debian: names of packages in, an unpacked tree out, not installed.

A folder of its own beside the lab's: qemu, a kernel and perftest are no part of a lab's switches.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, missing_packages, unpack

# A file that must be there, and the package that has it.
NEEDED = {
    "usr/bin/qemu-system-x86_64": "qemu-system-x86",
    "usr/bin/busybox": "busybox-static",
    "usr/bin/kmod": "kmod",
    "usr/bin/ib_send_bw": "perftest",
    "etc/libibverbs.d/rxe.driver": "ibverbs-providers",
}
_KERNEL = "linux-image-amd64"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A Debian kernel: its image, and the folder of its modules with a modules.dep."""

    image: Path
    modules: Path

    @property
    def release(self) -> str:
        """What it calls itself: 6.1.0-56-amd64."""
        return self.modules.name


@dataclass(frozen=True, slots=True)
class Packages:
    """The unpacked tree, and the kernel in it."""

    root: Path
    kernel: Kernel

    @property
    def libraries(self) -> Path:
        """Where Debian keeps shared libraries."""
        return self.root / "usr/lib/x86_64-linux-gnu"

    def program(self, path: str) -> Path:
        """Return a program of the tree."""
        return self.root / path


def gather(tools: Tools) -> list[str]:
    """Unpack what the lab's switches and this measurement lack; return the files unpacked."""
    if os.uname().machine != "x86_64":
        raise LabFailure("the measurement boots Debian's amd64 kernel and needs an x86-64 machine")
    unpacked: list[str] = []
    switches = missing_packages(tools, uml=False)
    if switches:
        unpacked += unpack(tools, switches)
    own = _own(tools)
    lacking = [name for path, name in NEEDED.items() if not _there(own, path)]
    if _kernel(own) is None:
        lacking.append(_KERNEL)
    if lacking:
        unpacked += unpack(own, lacking)
    return unpacked


def packages(tools: Tools) -> Packages:
    """Return what `gather` unpacked. LabFailure when a part is not there after all."""
    own = _own(tools)
    kernel = _kernel(own)
    if kernel is None or own.root is None:
        raise LabFailure(f"{_KERNEL} holds no kernel with the module rdma_rxe")
    if not (kernel.modules / "modules.dep").exists():
        _depmod(own.root, kernel.release)
    return Packages(own.root, kernel)


def own_folder(tools: Tools) -> Path:
    """Return where this measurement keeps what it unpacks."""
    return tools.folder.with_name("roce")


def _own(tools: Tools) -> Tools:
    return Tools(own_folder(tools))


def _there(own: Tools, path: str) -> bool:
    return own.root is not None and (own.root / path).exists()


def _kernel(own: Tools) -> Kernel | None:
    """Find the newest kernel with soft RoCE, unpacked here or installed on this machine."""
    for root in (own.root, Path("/")):
        images = sorted(root.glob("boot/vmlinuz-*-amd64")) if root else []
        for image in reversed(images):
            modules = image.parents[1] / "lib/modules" / image.name.removeprefix("vmlinuz-")
            if list(modules.glob("kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko*")):
                return Kernel(image, modules)
    return None


def _depmod(root: Path, release: str) -> None:
    """Do what the kernel's postinst does: nothing of a package runs where it is only unpacked."""
    done = subprocess.run(
        ["depmod", "--basedir", str(root), release],
        executable=root / "usr/bin/kmod",
        env={"LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise LabFailure(f"depmod {release}: {done.stderr.strip()}")

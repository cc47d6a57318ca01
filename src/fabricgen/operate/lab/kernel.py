"""Find a user-mode kernel that this CPU can run, or unpack one of a newer Debian release.

An older User-Mode Linux keeps a process' registers in a buffer of fixed size. On a CPU with AMX the
host wants more, and the first process of the guest ends with SIGSEGV. Tried on such a CPU: 6.1.176
and 6.12.113 do not boot, 7.2.7 does.
"""

import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.suites import Source, unpack_from
from fabricgen.operate.lab.tools import KERNEL, Tools, laid_out

PACKAGE = "user-mode-linux"
NEWER = Source("User-Mode Linux 7", "forky")
_LEAST = 7
_LIBRARIES = "usr/lib/uml/lib"
"""Place of the loader and libc of an unpacked newer kernel, in the tree of the tools."""
_LOADER = "ld-linux-x86-64.so.2"
_FLAGS = re.compile(r"^flags\s*:.*\bamx_tile\b", re.MULTILINE)
_INTERPRETER = 3
"""PT_INTERP, the type of the program header that names the loader (elf(5))."""


def has_wide_registers(cpus: Path = Path("/proc/cpuinfo")) -> bool:
    """Return whether this CPU has AMX, whose registers an older user-mode kernel cannot restore."""
    try:
        return _FLAGS.search(cpus.read_text()) is not None
    except OSError:
        return False


def environment_of(kernel: Path) -> dict[str, str]:
    """Return the environment of a user-mode kernel: an unpacked newer one has its own libraries."""
    libraries = kernel.parents[2] / _LIBRARIES
    return {"LD_LIBRARY_PATH": str(libraries)} if libraries.is_dir() else {}


def needs_newer_kernel(tools: Tools, cpus: Path = Path("/proc/cpuinfo")) -> bool:
    """Return whether this CPU needs a newer user-mode kernel than the unpacked or installed one."""
    if not has_wide_registers(cpus):
        return False
    kernel = tools.find(KERNEL)
    return kernel is None or _release(kernel) < _LEAST


def _release(kernel: Path) -> int:
    """Return the first number of a kernel's release; 0 if it prints none."""
    done = subprocess.run(  # noqa: S603 - our own command
        [str(kernel), "--version"],
        env={**os.environ, **environment_of(kernel)},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    first = done.stdout.strip().partition(".")[0]
    return int(first) if first.isdecimal() else 0


def unpack_kernel(tools: Tools, source: Source = NEWER) -> list[str]:
    """Put a newer kernel, its modules and its libraries into the tree of the tools.

    Its libraries need a newer loader than the one of this system. The kernel starts itself again by
    its own path, so it must name that loader itself.
    """
    home, root = tools.folder / "newer-kernel", tools.folder / "root"
    shutil.rmtree(home, ignore_errors=True)
    archives = unpack_from(source, home, (PACKAGE,))
    new = home / "root"
    loaders = sorted(new.glob(f"usr/lib*/**/{_LOADER}"))
    libraries = sorted(new.glob("usr/lib/*/libc.so.6"))
    if not (new / KERNEL).exists() or not loaders or not libraries:
        raise LabFailure(
            f"the Debian suite {source.suite} contains no {PACKAGE} with its libraries"
        )
    laid_out(root)
    shutil.rmtree(root / "usr/lib/uml", ignore_errors=True)
    shutil.move(new / "usr/lib/uml", root / "usr/lib/uml")
    place = root / _LIBRARIES
    place.mkdir(parents=True)
    for file in (loaders[0], libraries[0]):
        shutil.copy(file, place / file.name)
    (root / KERNEL).unlink(missing_ok=True)
    (root / KERNEL).parent.mkdir(parents=True, exist_ok=True)
    with_loader = loaded_by((new / KERNEL).read_bytes(), place / _LOADER)
    (root / KERNEL).write_bytes(with_loader)
    (root / KERNEL).chmod(0o755)
    shutil.rmtree(home)
    return archives


def loaded_by(program: bytes, loader: Path) -> bytes:
    """Return an ELF program of 64 bits that another loader starts.

    The path is appended, and the program header points to it: the kernel reads it from the file
    (linux fs/binfmt_elf.c, load_elf_binary).
    """
    changed, name = bytearray(program), str(loader).encode() + b"\0"
    (headers,) = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for number in range(count):
        at = headers + size * number
        if struct.unpack_from("<I", program, at) == (_INTERPRETER,):
            struct.pack_into("<Q", changed, at + 8, len(program))
            struct.pack_into("<QQ", changed, at + 32, len(name), len(name))
            return bytes(changed) + name
    raise LabFailure("the user-mode kernel names no loader")

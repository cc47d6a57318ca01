"""A user-mode kernel that this CPU can run: known by its release, unpacked with its own loader."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from tests.unit.lab.test_suites import machine, packed  # noqa: F401 - a fixture of the same stand-in

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.kernel import (
    NEWER,
    environment_of,
    has_wide_registers,
    loaded_by,
    needs_newer_kernel,
    unpack_kernel,
)
from fabricgen.operate.lab.tools import KERNEL, Tools

WIDE = "flags\t\t: fpu sse2 amx_bf16 avx512f amx_tile amx_int8\n"
NARROW = "flags\t\t: fpu sse2 avx512f\n"


def kernel_of(tools: Tools, release: str) -> None:
    """Put a stand-in for linux.uml there, which tells a release."""
    kernel = tools.folder / "root" / KERNEL
    kernel.parent.mkdir(parents=True)
    kernel.write_text(f'#!/bin/sh\ntest "$1" = --version && echo {release}\n')
    kernel.chmod(0o755)


@pytest.mark.parametrize(
    ("cpu", "release", "newer"),
    [
        (WIDE, "6.1.176", True),
        (WIDE, "6.12.113", True),
        (WIDE, "7.2.7", False),
        (WIDE, "10.0.1", False),
        (WIDE, "unknown", True),
        (NARROW, "6.1.176", False),
    ],
)
def test_only_a_cpu_with_wide_registers_needs_a_newer_kernel(
    cpu: str, release: str, tmp_path: Path, *, newer: bool
) -> None:
    (tmp_path / "cpuinfo").write_text(cpu)
    tools = Tools(tmp_path)
    kernel_of(tools, release)
    assert needs_newer_kernel(tools, tmp_path / "cpuinfo") is newer


def test_a_machine_without_cpuinfo_needs_none(tmp_path: Path) -> None:
    assert not has_wide_registers(tmp_path / "absent")


def test_a_program_is_started_by_the_loader_that_was_written_into_it(tmp_path: Path) -> None:
    loader = tmp_path / "a loader with a path longer than the one it replaces.so"
    program = Path("/bin/true").read_bytes()
    changed = tmp_path / "true"
    changed.write_bytes(loaded_by(program, loader))
    changed.chmod(0o755)
    with pytest.raises(FileNotFoundError):  # the kernel looks for the loader, which is not there
        subprocess.run([changed], check=False)
    shutil.copy(_loader_of(program), loader)
    assert subprocess.run([changed], check=False).returncode == 0


def _loader_of(program: bytes) -> str:
    (headers,) = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for at in range(headers, headers + size * count, size):
        if struct.unpack_from("<I", program, at) == (3,):
            (begin,) = struct.unpack_from("<Q", program, at + 8)
            (length,) = struct.unpack_from("<Q", program, at + 32)
            return program[begin : begin + length - 1].decode()
    raise AssertionError("a static program")


def test_a_program_without_a_loader_is_refused() -> None:
    header = bytearray(64)
    struct.pack_into("<Q", header, 32, 64)
    with pytest.raises(LabFailure, match="names no loader"):
        loaded_by(bytes(header), Path("/x"))


def test_it_is_unpacked_with_its_modules_and_libraries_and_nothing_else(
    machine: Path,  # noqa: F811 - the fixture
) -> None:
    for each in ("frr", "libyang3", "libc6"):
        (machine.parent / "packages" / f"{each}.deb").unlink()
    shutil.copy("/bin/true", machine.parent / "true")
    packed(machine.parent, "user-mode-linux", KERNEL, Path("/bin/true").read_bytes())
    packed(machine.parent, "modules", "usr/lib/uml/modules/7.2.7/modules.dep")
    packed(machine.parent, "libc6", "usr/lib64/ld-linux-x86-64.so.2")
    packed(machine.parent, "libc6-more", "usr/lib/x86_64-linux-gnu/libc.so.6")
    tools = Tools(machine.parent / "cache")
    unpack_kernel(tools, NEWER._replace(machine=machine))
    root = tools.folder / "root"
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files == {
        KERNEL,
        "usr/lib/uml/modules/7.2.7/modules.dep",
        "usr/lib/uml/lib/ld-linux-x86-64.so.2",
        "usr/lib/uml/lib/libc.so.6",
    }
    assert environment_of(root / KERNEL) == {"LD_LIBRARY_PATH": f"{root}/usr/lib/uml/lib"}
    assert os.access(root / KERNEL, os.X_OK)
    assert {path.name for path in tools.folder.iterdir()} == {"root"}
    line = (machine.parent / "sources").read_text().splitlines()[-1]
    assert line.endswith(" http://mirror.example/debian/ forky main")


def test_a_suite_without_it_is_said(machine: Path) -> None:  # noqa: F811 - the fixture
    with pytest.raises(LabFailure, match="the Debian suite forky contains no user-mode-linux"):
        unpack_kernel(Tools(machine.parent / "cache"), NEWER._replace(machine=machine))

"""A job's folder in; what the guest says, line by line, out: qemu in software, ended with us."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.machine.dying import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Generator

    from bench.roce.packages import Packages

_SECOND = Path(__file__).with_name("second.sh")
_REPOSITORY = Path(__file__).resolve().parents[2]
_MEBIBYTES = 2048
_CPUS = 1
"""With two, packets of one flow can overtake each other between the CPUs. That is no loss, but RoCE
sends again from there on: 16 of 1,280 in one run, none with one CPU."""


def guest(
    packages: Packages, tools: Path | None, job: Path, seconds: float
) -> Generator[dict[str, Any], None, None]:
    """Boot and yield what the guest says until it ends; LabFailure when it takes too long."""
    console = job / "console"
    machine = subprocess.Popen(
        _words(packages, tools, job, console),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=die_with_parent,  # noqa: PLW1509 - there is one thread yet
        env=_environment(packages),
        text=True,
    )
    late = threading.Timer(seconds, machine.kill)
    late.start()
    try:
        assert machine.stdout is not None
        for line in machine.stdout:
            if line.startswith("{"):
                yield json.loads(line)
        machine.wait()
        if not late.is_alive():
            raise LabFailure(f"not done after {seconds:.0f} s: {_last_words(console)}")
        if machine.returncode:
            assert machine.stderr is not None
            raise LabFailure(f"qemu ended with {machine.returncode}: {machine.stderr.read()}")
    finally:
        late.cancel()
        machine.kill()
        machine.wait()


def _words(packages: Packages, tools: Path | None, job: Path, console: Path) -> list[str]:
    root, kernel = packages.root, packages.kernel
    environment = (
        f"ROCE_SECOND={_SECOND} ROCE_PYTHON={sys.executable} ROCE_JOB={job} "
        f"PYTHONPATH={_REPOSITORY / 'src'}:{_REPOSITORY}"
    )
    return [
        *(str(root / "usr/bin/qemu-system-x86_64"), "-L", str(root / "usr/share/qemu")),
        *("-L", str(root / "usr/share/seabios"), "-M", "q35", "-nodefaults", "-no-reboot"),
        *("-accel", "tcg,thread=multi", "-cpu", "max", "-smp", str(_CPUS), "-m", str(_MEBIBYTES)),
        *("-display", "none", "-serial", f"file:{console}", "-serial", "stdio"),
        *("-kernel", str(kernel.image), "-initrd", str(job / "initramfs")),
        *("-append", f"console=ttyS0 quiet panic=-1 {environment}"),
        *_share("root", Path("/")),
        *_share("packages", root),
        *(_share("tools", tools) if tools else ()),
    ]


def _share(tag: str, folder: Path) -> tuple[str, ...]:
    """Give the guest a folder of this machine, to read."""
    words = f"local,id={tag},path={folder},security_model=none,readonly=on,multidevs=remap"
    return ("-fsdev", words, "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}")


def _environment(packages: Packages) -> dict[str, str]:
    own = {
        "LD_LIBRARY_PATH": str(packages.libraries),
        "QEMU_MODULE_DIR": str(packages.libraries / "qemu"),
    }
    return {**os.environ, **own}


def _last_words(console: Path) -> str:
    text = console.read_text(errors="replace") if console.exists() else ""
    return " / ".join(text.split("\n")[-6:]) or "it wrote nothing"

"""Real RoCEv2 through compiled switches: intent/lab in, a table of what was counted out.

`python -m bench.roce`. Boots Debian's kernel under qemu without KVM; slow, and no measure of speed.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import signal
import sys
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from bench.roce.ask import asked
from bench.roce.initramfs import write
from bench.roce.machine import guest
from bench.roce.packages import gather, own_folder, packages
from bench.roce.report import report

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.roce.packages import Packages

_PATIENCE = 900  # seconds


def progress(said: str) -> None:
    """Say where we are, beside the result."""
    print(f"roce: {said}", file=sys.stderr, flush=True)


def main() -> int:
    """Measure; what was started and written is gone afterwards, but for the unpacked packages."""
    tools, begun = Tools.here(), time.monotonic()
    try:
        with _workplace(own_folder(tools)) as job:
            for name in gather(tools):
                progress(f"unpacked {name}")
            found = packages(tools)
            ask = asked(job, tools)
            (job / "ask.json").write_text(json.dumps(ask))
            write(job / "initramfs", found)
            result = _result(found, tools, job)
        print(report(ask, result))
        progress(f"{time.monotonic() - begun:.0f} s")
    except LabFailure as error:
        print(f"roce: {error}", file=sys.stderr)
        return 1
    return 0


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """Make a folder that is gone afterwards; what a killed measurement left goes first."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LabFailure("another measurement is running") from None
        job = folder / "job"
        shutil.rmtree(job, ignore_errors=True)
        job.mkdir()
        try:
            yield job
        finally:
            shutil.rmtree(job)


def _result(found: Packages, tools: Tools, job: Path) -> dict[str, Any]:
    """Boot, say what the guest says, return its result; the machine has ended then."""
    with closing(guest(found, tools.root, job, _PATIENCE)) as lines:
        for said in lines:
            if "error" in said:
                raise LabFailure(said["error"])
            if "result" in said:
                result: dict[str, Any] = said["result"]
                return result
            progress(" ".join(str(word) for word in said.values()))
    raise LabFailure(
        f"the guest ended without a result: {(job / 'console').read_text(errors='replace')}"
    )


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())

"""Which CPU a guest is given: guests keep out of each other's way."""

import os
import shutil
import subprocess
from pathlib import Path

from fabricgen.operate.lab.machine.uml import chosen, next_cpu


def test_a_guest_is_put_where_no_other_is_however_busy_that_cpu_is() -> None:
    assert chosen([0, 1], {0: 1}, {0: 10, 1: 0}) == 1
    assert chosen([0, 1], {0: 2, 1: 1}, {0: 10, 1: 0}) == 1


def test_of_cpus_with_as_many_guests_the_idlest_is_taken() -> None:
    assert chosen([0, 1], {}, {0: 1, 1: 9}) == 1
    assert chosen([0, 1, 2], {2: 1}, {0: 9, 1: 1, 2: 10}) == 0


def test_only_cpus_of_this_process_are_taken() -> None:
    assert chosen([3], {3: 4}, {0: 10}) == 3


def test_a_kernel_that_runs_is_seen(tmp_path: Path) -> None:
    """A program of that name stands in for it."""
    kernel = shutil.copy(shutil.which("sleep") or "", tmp_path / "linux.uml")
    own = sorted(os.sched_getaffinity(0))
    others = [
        subprocess.Popen(["taskset", "-c", str(cpu), str(kernel), "60"])
        for cpu in own[:-1]
        for _ in range(9)
    ]
    for each in others:
        while Path(f"/proc/{each.pid}/comm").read_text() != "linux.uml\n":
            assert each.poll() is None
    try:
        assert next_cpu() == own[-1]
    finally:
        for each in others:
            each.kill()
            each.wait()

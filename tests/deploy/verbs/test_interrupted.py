"""Ctrl-C in a push, as a terminal sends it: what is unconfirmed is undone, nothing more begins."""

import os
import re
import signal
import subprocess
import sys

from tests.deploy.fakes.temper import installed
from tests.deploy.verbs.conftest import HASH, LEAFS, Work


def test_ctrl_c_undoes_what_nobody_confirmed_and_ends_with_130(work: Work) -> None:
    """The signal comes right after the first leaf runs its new configuration; then it goes on."""
    work.rename_tenant()
    before = work.everything()
    process = subprocess.Popen(
        (sys.executable, "-m", "fabricgen", "push", "site", "--yes"),
        cwd=work.folder,
        env={**installed(os.environ), "ADMIN_HASH": HASH},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "unconfirmed" in line:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    assert work.everything() == before
    assert f"rolled-back: {LEAFS[0]}: stopped" in out
    assert f"canceled: {LEAFS[1]}: stopped before this batch" in out
    assert not list(work.folder.glob("switches/*/commit"))
    (push,) = re.findall(r"push-[0-9a-f]+", out)
    assert work.fabricgen("resume", push, "site") == 0
    assert work.fabricgen("plan", "site") == 0

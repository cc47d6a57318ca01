"""The lab as a user without any rights: in a kernel of its own it needs none."""

import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import NOT_RUN
from tests.lab.machinery import INTENT, PATIENCE, ROOT, Ground

from fabricgen.operate.lab.tools import Tools

NOBODY = 65534
PYTHON = "/usr/bin/python3"  # the one of .venv may be in a home that others cannot enter


@pytest.fixture
def nobody(machine: None) -> Iterator[Ground]:
    """Give a user without rights a home, with the tools that this user has unpacked."""
    if os.getuid() != 0:
        pytest.skip("only root can become nobody; every other test runs unprivileged here")
    folder = Path(tempfile.mkdtemp(prefix="lab-"))
    try:
        tools = folder / "cache" / "fabricgen" / "lab"
        if Tools.here().root is not None:
            shutil.copytree(Tools.here().folder, tools, symlinks=True)
        (folder / "run").mkdir(mode=0o700)
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(folder)], check=True)
        packages = (ROOT / "src", sysconfig.get_path("purelib"))
        ground = Ground(
            folder / "run",
            {
                "HOME": str(folder),
                "XDG_CACHE_HOME": str(folder / "cache"),
                "XDG_RUNTIME_DIR": str(folder / "run"),
                "PYTHONPATH": ":".join(map(str, packages)),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )
        yield ground
        assert ground.left_in_the_end() == []
    finally:
        shutil.rmtree(folder)


def as_nobody(ground: Ground, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `fabricgen` as a user without rights."""
    rights = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    return subprocess.run(
        [*rights, PYTHON, "-m", "fabricgen", *words],
        env=os.environ | ground.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd="/",
    )


def test_a_user_without_rights(nobody: Ground) -> None:
    if as_nobody(nobody, "--help").returncode:
        pytest.skip(f"{NOT_RUN} for nobody: {PYTHON} does not start this project for that user")
    unpacked = as_nobody(
        nobody, "lab", "install-tools"
    )  # what root can read and nobody cannot, if any
    if unpacked.returncode:
        pytest.skip(f"{NOT_RUN} for nobody: {unpacked.stderr}")
    up = as_nobody(nobody, "lab", "up", str(INTENT), "--limit", "be-su01-leaf1")
    assert up.returncode == 0, up.stdout + up.stderr
    assert "you are not root" in up.stderr
    ssh = as_nobody(nobody, "lab", "ssh", "be-su01-leaf1", "hostname")
    assert (ssh.returncode, ssh.stdout, ssh.stderr) == (0, "be-su01-leaf1\n", "")
    lldp = as_nobody(nobody, "lab", "exec", "be-su01-leaf1", "--", "lldpcli", "show", "chassis")
    assert lldp.returncode == 0, lldp.stderr
    assert as_nobody(nobody, "lab", "down").returncode == 0

"""From FRR's own tools: that vtysh takes every file, and that a second diff finds nothing."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.nos.linux.switches import SITES, one_of_each
from tests.unit.hosts.test_peering import second

RELOAD = Path("/usr/lib/frr/frr-reload.py")

needs_vtysh = pytest.mark.skipif(shutil.which("vtysh") is None, reason="vtysh is not installed")
needs_reload = pytest.mark.skipif(
    shutil.which("vtysh") is None or not RELOAD.exists(), reason="frr-reload.py is not installed"
)


@needs_vtysh
@pytest.mark.parametrize("site", SITES)
def test_vtysh_accepts_the_file(site: str, tmp_path: Path) -> None:
    for item in one_of_each(site):
        path = tmp_path / "frr.conf"
        path.write_text(item.frr)
        run = subprocess.run(
            ["vtysh", "-C", "-f", path], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


@needs_vtysh
def test_vtysh_accepts_the_file_of_a_server(tmp_path: Path) -> None:
    _, files = second("frr")
    path = tmp_path / "frr.conf"
    path.write_text(files["etc/frr/frr.conf"])
    run = subprocess.run(["vtysh", "-C", "-f", path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@needs_vtysh
def test_vtysh_refuses_a_wrong_file(tmp_path: Path) -> None:
    path = tmp_path / "frr.conf"
    path.write_text("router bgp 65000\n neighbor swp1 interface remote-as extrenal\n")
    run = subprocess.run(["vtysh", "-C", "-f", path], capture_output=True, text=True, check=False)
    assert run.returncode == 2


@needs_reload
@pytest.mark.parametrize("site", ["front", "border", "numbered-v6", "unnumbered", "rail-p2p"])
def test_a_file_is_no_change_to_itself(site: str, tmp_path: Path) -> None:
    for item in one_of_each(site):
        path = tmp_path / "frr.conf"
        path.write_text(item.frr)
        run = subprocess.run(
            [RELOAD, "--test", "--stdout", "--log-level", "warning", "--input", path, path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout.strip() == ""

"""The lab on a kernel that has all it needs: shown in a guest, whatever this kernel is."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.conftest import NOT_RUN
from tests.lab.machinery import INTENT, PATIENCE, ROOT, Ground, need_a_lab, started_by

from fabricgen.operate.lab.machine.uml import next_cpu
from fabricgen.operate.lab.tools import KERNEL, Tools

GUEST = Path(__file__).with_name("direct_guest.sh")
MEMORY = "mem=768M"


def boot(kernel: Path, modules: Path, ground: Ground) -> str:
    """Boot the guest to its end; return what it printed."""
    words = (
        *(MEMORY, "rootfstype=hostfs", "rootflags=/", "ro", "quiet", "panic=-1"),
        *("con=null", "con0=null,fd:1", "ssl=null", f"uml_dir={ground.folder}/", "umid=guest"),
        *(f"init={GUEST}", f"LAB_PYTHON={sys.executable}", f"PYTHONPATH={ROOT / 'src'}"),
        *(f"LAB_INTENT={INTENT}", f"LAB_MODULES={modules}"),
        f"LAB_CACHE={Tools.here().folder.parents[1]}",
        f"PYTHONPYCACHEPREFIX={sys.pycache_prefix or ''}",
    )
    cpu = next_cpu()
    done = subprocess.run(
        ["taskset", "-c", str(cpu), *started_by(kernel), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=PATIENCE,
    )
    return done.stdout


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[int, str]]:
    """Run the guest once; return status and output of each step by its name."""
    need_a_lab()
    tools = Tools.here()
    kernel = tools.find(KERNEL)
    found = [
        *Path(tools.root or "/", "usr/lib/uml/modules").glob("*"),
        *Path("/usr/lib/uml/modules").glob("*"),
    ]
    if kernel is None or not found:
        pytest.skip(f"{NOT_RUN}: a guest needs user-mode-linux, for direct mode to be shown in it")
    printed = boot(kernel, found[0], Ground(tmp_path_factory.mktemp("direct"), {}))
    steps = re.findall(r"^== (\w+)\r?\n(.*?)^== (\d+)\r?$", printed, re.DOTALL | re.MULTILINE)
    assert "== end" in printed, printed
    return {name: (int(status), text.replace("\r", "")) for name, text, status in steps}


def test_it_boots_as_designed_in_this_kernel(said: Mapping[str, tuple[int, str]]) -> None:
    status, printed = said["up"]
    assert status == 0, printed
    assert "direct: this kernel supports VRF and VXLAN, and you are root" in printed
    assert printed.count("as designed\n") == 2


def test_every_verb_reaches_it(said: Mapping[str, tuple[int, str]]) -> None:
    assert said["status"][0] == 0, said["status"]
    assert said["exec"] == (0, "be-su01-leaf1\n")
    assert said["ssh"] == (0, "be-su01-leaf1\n")


def test_nothing_of_it_is_in_the_machines_own_network(said: Mapping[str, tuple[int, str]]) -> None:
    names = {
        line.split()[1].partition("@")[0].rstrip(":") for line in said["while"][1].splitlines()
    }
    assert "lo" in names
    assert not {name for name in names if re.match(r"mgmt|m\d|swp|eth0|br0|vni", name)}


def test_nothing_stays_when_it_is_down(said: Mapping[str, tuple[int, str]]) -> None:
    assert said["down"] == (0, "lab direct is down\n")
    assert said["after"] == said["before"]


def test_nothing_stays_when_its_keeper_is_killed(said: Mapping[str, tuple[int, str]]) -> None:
    assert said["again"][0] == 0, said["again"]
    assert said["killed"] == said["before"]

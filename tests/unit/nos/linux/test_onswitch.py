"""The switch's side, on a folder that stands for its disk: what is read, written, hidden, kept."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from fabricgen.nos.linux.driver.onswitch import apply, files, interfaces, kept, kernel, switch
from fabricgen.nos.linux.driver.onswitch.files import FILES, hide
from fabricgen.nos.linux.driver.onswitch.kept import Kept
from fabricgen.nos.linux.driver.onswitch.switch import SWITCH, LinuxSwitch
from fabricgen.nos.shared.onswitch import checkpoints, disk, frr, hidden, program
from fabricgen.nos.shared.onswitch.commands import TOO_LONG, Done, run
from fabricgen.nos.shared.onswitch.refusal import Refusal
from fabricgen.nos.shared.onswitch.store import Tree

AGENT = program.Agent(SWITCH)
LIKE = Kept({}).like
DAEMONS, PASSWORDS, HOSTNAME = "etc/frr/daemons", "etc/fabricgen/passwords", "etc/hostname"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a folder be the switch's disk."""
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    return tmp_path


def lay(root: Path, path: str, text: str, mode: int = 0o644) -> Path:
    """Write a file as if it had been there."""
    where = root / path
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(text)
    where.chmod(mode)
    return where


def save(plan: str, candidate: Tree) -> str:
    """Keep what runs as the checkpoint of a plan."""
    return checkpoints.save(plan, *SWITCH.checkpoint(candidate, [DAEMONS]))


def as_candidate(plan: str) -> Tree:
    """Return what ran before a plan."""
    return SWITCH.again(*checkpoints.read(plan))


def mode(where: Path) -> int:
    """Return the mode of a file."""
    return stat.S_IMODE(where.stat().st_mode)


@pytest.mark.parametrize(
    "path",
    [
        "etc/passwd",
        "/etc/frr/frr.conf",
        "etc/fabricgen/../passwd",
        "etc/fabricgen/a/b",
        "etc/fabricgen/",
        "etc/ssh/authorized_keys.d/..",
        "etc//frr/frr.conf",
        "",
    ],
)
def test_only_files_of_the_platform_are_touched(path: str) -> None:
    with pytest.raises(Refusal, match="fabricgen does not write"):
        FILES.place(path)


@pytest.mark.parametrize("linked", ["etc/frr/daemons", "etc/frr", "etc"])
def test_no_symbolic_link_is_followed(root: Path, linked: str) -> None:
    lay(root, "elsewhere/frr/daemons", "theirs\n")
    (root / linked).parent.mkdir(parents=True, exist_ok=True)
    (root / linked).symlink_to(root / "elsewhere")
    with pytest.raises(Refusal, match="is a symbolic link"):
        FILES.write(DAEMONS, disk.File(b"ours\n"))
    assert (root / "elsewhere/frr/daemons").read_text() == "theirs\n"


def test_modes_of_new_files(root: Path) -> None:
    (root / "etc/frr").mkdir(parents=True)
    for path, runs, wanted in (
        (HOSTNAME, False, 0o644),
        (DAEMONS, False, 0o640),
        (PASSWORDS, False, 0o600),
        ("etc/fabricgen/dcb.sh", True, 0o755),
    ):
        FILES.write(path, disk.File(b"", runs=runs))
        assert mode(root / path) == wanted, path


def test_a_file_keeps_its_mode_but_for_who_may_run_it(root: Path) -> None:
    lay(root, DAEMONS, "", 0o660)
    FILES.write(DAEMONS, disk.File(b"new"))
    assert mode(root / DAEMONS) == 0o660
    script = lay(root, "etc/fabricgen/dcb.sh", "", 0o750)
    FILES.write("etc/fabricgen/dcb.sh", disk.File(b"new", runs=False))
    assert mode(script) == 0o640
    lay(root, PASSWORDS, "", 0o644)
    FILES.write(PASSWORDS, disk.File(b"new"))
    assert mode(root / PASSWORDS) == 0o600


def test_secrets_are_equal_where_they_are_equal_and_nowhere_else(root: Path) -> None:
    lay(root, "etc/ssh/ssh_host_ed25519_key", "one switch")
    one = hide(PASSWORDS, "admin:$6$a$b\noper:$6$a$b\nroot:$6$c$d\n")
    admin, oper, other = (line.split(":", 1)[1] for line in one.splitlines())
    assert admin == oper != other
    assert "$6$" not in one
    lay(root, "etc/ssh/ssh_host_ed25519_key", "another switch")
    assert hide(PASSWORDS, "admin:$6$a$b\n") != f"admin:{admin}\n"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("etc/snmp/snmpd.conf", "rocommunity SECRET"),
        ("etc/snmp/snmpd.conf", "rocommunity6 SECRET default"),
        ("etc/snmp/snmpd.conf", "createUser monitor SHA SECRET"),
        ("etc/snmp/snmpd.conf", "trapsess -v 3 -u monitor -A SECRET 10.0.0.9"),
        ("etc/frr/frr.conf", " neighbor 10.0.0.1 password SECRET"),
        ("etc/frr/frr.conf", "-  neighbor 10.0.0.1 password SECRET"),
        (PASSWORDS, "admin:SECRET"),
    ],
)
def test_every_place_of_a_secret_is_known(path: str, line: str) -> None:
    assert "SECRET" not in hide(path, f"before\n{line}\nafter\n")
    assert hide(path, "sysLocation here\n# a remark\n").endswith("a remark\n")


def test_a_placeholder_is_no_value() -> None:
    assert hidden.unresolved("a:<<secret:env:X>>\n") == "<<secret:env:X>>"
    assert hidden.unresolved(f"a:{hidden.token('x')}\n")
    assert not hidden.unresolved("cat <<end\n")


SAID = """
Lines To Delete
===============
vrf blue
 no vni 50002
router bgp 1
 address-family l2vpn evpn
  no vni 30
no router bgp 1 vrf blue
router bgp 1
 address-family l2vpn evpn
  no vni 40
router bgp 1
 bgp default ipv4-unicast

Lines To Add
============
router bgp 1
 neighbor 10.0.0.1 description a
 neighbor 10.0.0.1 description a
"""


def test_the_difference_of_frr_reads_like_a_configuration() -> None:
    assert frr.collapsed(SAID) == [
        "  vrf blue",
        "-  vni 50002",
        "  router bgp 1",
        "   address-family l2vpn evpn",
        "-   vni 30",
        "-   vni 40",
        "-  no bgp default ipv4-unicast",
        "- router bgp 1 vrf blue",
        "+ router bgp 1",
        "+  neighbor 10.0.0.1 description a",
    ]
    assert frr.collapsed("") == []


IFUP = """\
warning: br0: bridge inherits mtu from its ports. There is no need to assign mtu on a bridge
warning: vni10: vxlan-ttl: invalid value "64": valid attribute values: ['0', '255']
"""
TOO_MUCH = (
    "warning: vni10: vxlan-ttl: invalid value \"300\": valid attribute values: ['0', '255']\n"
)


def _ifupdown2(monkeypatch: pytest.MonkeyPatch, out: str, err: str) -> None:
    monkeypatch.setattr(interfaces, "run", lambda *_: Done(1, out, err))


def test_what_ifupdown2_warns_of_wrongly_is_not_refused(
    monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    _ifupdown2(monkeypatch, "", IFUP)
    assert interfaces.judge(root / "i", "iface br0\n") == ""
    _ifupdown2(monkeypatch, "", IFUP + TOO_MUCH)
    assert interfaces.judge(root / "i", "iface br0\n").startswith("vni10: vxlan-ttl: invalid")


def test_what_is_not_as_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        "auto swp1\niface swp1                      [fail]\n\tmtu 9214          [fail]\n"
        "\taddress 10.0.0.1/31      [pass]\n"
        "iface br0 (bridge pvid error)          [fail]\n"
    )
    _ifupdown2(monkeypatch, said, "")
    assert interfaces.failures() == {"swp1 differs from the file: mtu 9214"}


def test_kernel_settings(root: Path) -> None:
    lay(root, "proc/sys/net/ipv4/ip_forward", "0\n")
    lay(root, "proc/sys/net/ipv4/conf/eth0.100/rp_filter", "1\n")
    lines = ("# not = this", "net.ipv4.ip_forward = 1", "-no.such = 1")
    dotted = "net/ipv4/conf/eth0.100/rp_filter=0\n"
    wanted = kernel.settings(["\n".join(lines), dotted])
    assert kernel.values(wanted) == {
        "net.ipv4.ip_forward": "0",
        "net/ipv4/conf/eth0.100/rp_filter": "1",
    }
    assert kernel.put(wanted) == ([], [])
    assert (root / "proc/sys/net/ipv4/ip_forward").read_text() == "1"
    assert kernel.put({"no.such": "1"})[1] == [
        "kernel setting no.such does not exist in this kernel"
    ]


def test_files_that_are_no_longer_wanted_go_only_when_they_were_written_here(root: Path) -> None:
    lay(root, DAEMONS, "bgpd=yes\n")
    lay(root, HOSTNAME, "leaf\n")
    after = Tree({HOSTNAME: disk.File(b"leaf\n")}, [HOSTNAME])
    assert files.changed(files.running(), after, LIKE) == []
    files.lay(after, [])
    assert files.running().managed == [HOSTNAME]
    more = Tree({**after.files, DAEMONS: disk.File(b"bgpd=no\n")}, [HOSTNAME, DAEMONS])
    files.lay(more, files.changed(files.running(), more, LIKE))
    assert files.changed(files.running(), after, LIKE) == [DAEMONS]
    files.lay(after, [DAEMONS])
    assert not (root / DAEMONS).exists()


def test_what_is_present_are_files_of_ours_and_neither_folders_nor_halves(root: Path) -> None:
    """A file whose name begins with a dot is one that is just being written."""
    own = disk.Files(allowed=("etc/frr/*", "etc/hostname", "etc/motd"), secret=(), frr="etc/frr")
    for path in ("etc/hostname", "etc/frr/frr.conf", "etc/frr/.frr.conf.new", "etc/passwd"):
        lay(root, path, "text\n")
    (root / "etc/frr/folder").mkdir()
    assert own.present() == ["etc/frr/frr.conf", "etc/hostname"]


def test_what_a_killed_write_left_goes_with_the_next(root: Path) -> None:
    half = lay(root, "etc/.hostname.fabricgen", "ha")
    FILES.write(HOSTNAME, disk.File(b"whole\n"))
    assert (root / HOSTNAME).read_text() == "whole\n"
    assert not half.exists()


def test_every_rendered_path_is_allowed_and_nothing_is_rendered_beside() -> None:
    golden = Path(__file__).resolve().parents[3] / "golden"
    trees = [each.parent.parent for each in golden.rglob("etc/fabricgen") if each.is_dir()]
    paths = {
        f"etc/{path.relative_to(tree / 'etc')}"
        for tree in {each for each in trees if (each / "etc/frr/frr.conf").exists()}
        for path in (tree / "etc").rglob("*")
        if path.is_file()
    }
    assert len(paths) > 10
    for path in paths:
        FILES.place(path)


def test_the_last_ten_checkpoints_stay(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    monkeypatch.setattr(apply, "unsaved", lambda: None)
    lay(root, DAEMONS, "before\n", 0o600)
    candidate = Tree({DAEMONS: disk.File(b"after\n")}, [DAEMONS])
    for number in range(12):
        save(f"plan{number}", candidate)
    assert checkpoints.names() == [f"plan{number}" for number in range(2, 12)]
    assert list(checkpoints.plans()) == checkpoints.names()
    assert {mode(where) & 0o077 for where in (root / "var/lib/fabricgen").rglob("*")} == {0}
    kept = as_candidate("plan2").files[DAEMONS]
    assert (kept.data, kept.mode) == (b"before\n", 0o600)
    with pytest.raises(Refusal, match="has no checkpoint from before plan plan1"):
        as_candidate("plan1")


def test_what_ran_before_a_plan_is_not_what_ran_between_its_commits(
    monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.setattr(apply, "unsaved", lambda: None)
    candidate = Tree({DAEMONS: disk.File(b"after\n")}, [DAEMONS])
    lay(root, DAEMONS, "before\n")
    checkpoints.confirm(save("plan", candidate))
    lay(root, DAEMONS, "between\n")
    before = checkpoints.plans()
    assert save("plan", candidate) != "plan"
    assert checkpoints.plans() == before, "of when it was committed first"
    assert as_candidate("plan").files[DAEMONS].data == b"before\n"


def _lives(process: int) -> bool:
    """Tell whether a process runs; proc(5): after the name in brackets comes the state."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_a_command_that_hangs_ends_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "child"
    waited = subprocess.Popen.communicate

    def patience(process: subprocess.Popen[str], **words: Any) -> tuple[str, str]:
        """Run out of patience once the command has started its child, not after a while."""
        while "timeout" in words and not (started.exists() and started.read_text().strip()):
            time.sleep(0.01)
        return waited(process, **words)

    monkeypatch.setattr(subprocess.Popen, "communicate", patience)
    done = run(("sh", "-c", f"sleep 1000 & echo $! > {started}; wait"), 0.01)
    assert done.status == TOO_LONG
    child = int((tmp_path / "child").read_text())
    patience_ends = time.monotonic() + 60
    while _lives(child) and time.monotonic() < patience_ends:
        time.sleep(0.01)  # a signal is sent; when it takes effect the kernel decides
    assert not _lives(child)
    assert run(("no-such-command",)).status == 127
    assert os.getpid() != child


class _Frr:
    """FRR that runs a text, and has no difference to any file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def running(self) -> str:
        return self.text

    def judge(self, where: Path) -> str:
        del where
        return ""

    def difference(self, where: Path) -> list[str]:
        del where
        return []


OURS = "frr defaults datacenter\n!\nrouter bgp 65001\n bgp router-id 10.0.0.1\nexit\n"
RUNS = OURS.replace("exit\n", " neighbor 192.0.2.9 remote-as 65099\nexit\n")


@pytest.fixture
def shared(root: Path, monkeypatch: pytest.MonkeyPatch) -> LinuxSwitch:
    """Let a switch have lines of FRR, a stanza and a file that are another's."""
    lay(root, files.FRR_CONF, OURS)
    lay(root, interfaces.CONF, "# ours\n\nauto lo\niface lo\n\nauto agent0\niface agent0\nmtu 9\n")
    lay(root, "etc/issue.net", "theirs\n")
    disk.dump(files._managed(), [files.FRR_CONF, interfaces.CONF, "etc/issue.net"])
    for module in (kept, switch):
        monkeypatch.setattr(module, "FRR", _Frr(RUNS))
    monkeypatch.setattr(interfaces, "judge", lambda *_: "")
    made = LinuxSwitch()
    made.others = {
        "frr": "router bgp *\n neighbor 192.0.2.9 ~\n",
        "interfaces": "auto agent*\niface agent* ~\niface agent*\n",
        "files": "/etc/issue.*\n",
    }
    return made


STANZA = "# ours\n\nauto lo\niface lo\n"


def test_what_is_anothers_is_no_part_of_what_runs_and_no_difference(shared: LinuxSwitch) -> None:
    assert "agent0" not in str(shared.config(None))
    assert "etc/issue.net" not in shared.config(None)
    candidate = shared.judge({files.FRR_CONF: OURS, interfaces.CONF: STANZA}, ())
    assert shared.compare(candidate) == ""
    assert shared.touched(candidate) == []
    assert shared.kept_sections() == {
        "frr": "router bgp 65001\n neighbor 192.0.2.9 remote-as 65099\n",
        "interfaces": "auto agent0\niface agent0\n    mtu 9\n",
        "files": "/etc/issue.net\n",
    }


def test_another_change_writes_what_frr_runs_of_anothers_with_it(shared: LinuxSwitch) -> None:
    changed = {files.FRR_CONF: OURS, interfaces.CONF: STANZA + "    mtu 9000\n"}
    candidate = shared.judge(changed, ())
    assert shared.touched(candidate) == [files.FRR_CONF, interfaces.CONF]
    assert candidate.files[files.FRR_CONF].text == RUNS
    assert "iface agent0\n    mtu 9\n" in candidate.files[interfaces.CONF].text
    assert "agent0" not in shared.compare(candidate)


def test_a_checkpoint_comes_back_with_what_is_anothers_now(shared: LinuxSwitch) -> None:
    old = {files.FRR_CONF: disk.File(RUNS.replace("65099", "65098").encode())}
    again = shared.again(Tree({**old, "etc/issue.net": disk.File(b"old\n")}), {"running": None})
    assert again.files[files.FRR_CONF].text == RUNS
    assert "etc/issue.net" not in again.files


def test_what_is_rendered_is_not_anothers(shared: LinuxSwitch) -> None:
    with pytest.raises(Refusal, match=r"etc/issue.net is rendered, but also unmanaged"):
        shared.judge({files.FRR_CONF: OURS, "etc/issue.net": "ours\n"}, ())
    with pytest.raises(Refusal, match=r"remote-as 65099` is both rendered and unmanaged"):
        shared.judge({files.FRR_CONF: RUNS}, ())

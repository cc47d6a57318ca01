"""The driver of `linux` switches against two real ones: FRR, ifupdown2 and sshd in a lab."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from napalm.base.exceptions import CommitError, ConnectionException, ReplaceConfigException
from tests.lab.machinery import INTENT, Ground, need_a_lab, new_ground
from tests.longer import longer

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.nos.driver import Busy, NoCheckpoint, Unfinished, pack, unpack
from fabricgen.nos.linux.driver.driver import LinuxDriver
from fabricgen.operate.lab.client import LabClient

NAME, LEAF, SPINE = "driver", "fe-leaf01", "fe-spine1"
FRR, INTERFACES, PASSWORDS = "etc/frr/frr.conf", "etc/network/interfaces", "etc/fabricgen/passwords"
PATIENCE = 240
CANARY = "$6$canary$5ecret"
BEFORE = "admin:$6$before$canary\n"

Files = dict[str, str]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A running leaf. rendered: its files as the compiler writes them; lean: without a tenant.

    said: what `lab up` printed.
    """

    ground: Ground
    client: LabClient
    rendered: Files
    lean: Files
    said: str

    def driver(self, **options: Any) -> LinuxDriver:
        """Return a driver of the leaf that is not connected yet."""
        place = self.ground.labs / NAME
        pipe = f"{sys.executable} -m fabricgen lab ssh --lab {NAME} --pipe {LEAF}"
        known = {
            "key_file": str(place / "key"),
            "known_hosts": str(place / "known_hosts"),
            "host_key_alias": LEAF,
            "proxy_command": f"env XDG_RUNTIME_DIR={self.ground.folder} {pipe}",
        }
        return LinuxDriver("lab", "root", "", 60, known | options)

    def run(self, script: str) -> str:
        """Run a shell script on the leaf, not through the driver."""
        done = self.client.execute(LEAF, ("sh", "-c", script))
        assert done.status == 0, (script, done.stdout, done.stderr)
        return done.stdout

    def everything(self) -> str:
        """Return every byte of the configuration with owners and modes, and what runs of it."""
        return self.run(
            "cd /etc && find frr network/interfaces fabricgen sysctl.d hostname chrony lldpd.d "
            "systemd/system/fabricgen.service sysusers.d tmpfiles.d -type f "
            "-exec stat -c '%n %a %U %G' {} + -exec sha256sum {} + | sort; "
            "vtysh -c 'show running-config no-header'; ip -o link | cut -d' ' -f2 | sort; "
            "ip -o addr | awk '{print $2,$4}' | sort; sysctl -n net.ipv4.conf.default.rp_filter"
        )

    def phase(self) -> str:
        """Return how far the commit is."""
        return self.run('sed -E \'s/.*"phase": "([a-z]+)".*/\\1/\' /var/lib/fabricgen/commit.json')


def _files(root: Path) -> Files:
    made = compile_site(load_site(root))
    assert made.site is not None
    folder = f"frontend/{LEAF}/"
    every = [file for _, group in files(made.site) for file in group]
    found = {f.path.removeprefix(folder): f.text for f in every if f.path.startswith(folder)}
    return found | {PASSWORDS: BEFORE}


@pytest.fixture(scope="module")
def leaf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Leaf]:
    """Boot a leaf and a spine; every test leaves them as they were."""
    need_a_lab()
    site = shutil.copytree(INTENT, tmp_path_factory.mktemp("lean") / "site")
    (site / "tenants/blue.yaml").unlink()
    for ground in new_ground():
        words = ("lab", "up", str(INTENT), "--limit", LEAF, "--limit", SPINE, "--name", NAME)
        done = ground.call(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        made = Leaf(ground, ground.client(NAME), _files(INTENT), _files(site), done.stdout)
        # A lab boots with a placeholder there; a switch that was pushed to has a hash.
        made.run(f"echo '{BEFORE.strip()}' > /{PASSWORDS}")
        yield made
        assert ground.call("lab", "down").returncode == 0


@pytest.fixture(scope="module")
def before(leaf: Leaf) -> str:
    """Return how the leaf is before any test, and after each."""
    return leaf.everything()


@pytest.fixture
def driver(leaf: Leaf, before: str) -> Iterator[LinuxDriver]:
    """Connect; a test that commits shows that nothing is left of it."""
    made = leaf.driver()
    made.open()
    yield made
    made.discard_config()
    made.close()


def connected(leaf: Leaf) -> LinuxDriver:
    """Connect once more."""
    made = leaf.driver()
    made.open()
    return made


def changed(files: Files, path: str, old: str, new: str) -> Files:
    """Replace a text in one file."""
    assert old in files[path]
    return files | {path: files[path].replace(old, new, 1)}


def described(files: Files, words: str) -> Files:
    """Change the least thing: a description in frr.conf."""
    return changed(files, FRR, f"description {SPINE}", f"description {words}")


def wait(what: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.2)


def load(driver: LinuxDriver, plan: str, files: Mapping[str, str]) -> None:
    """Claim, and load."""
    driver.claim(plan)
    driver.load_replace_candidate(config=pack(files))


def test_a_part_is_as_designed_without_what_is_outside_it(leaf: Leaf) -> None:
    outside = 2 + 2 * 3  # of the leaf to the other spine; of the spine to three leafs
    said = f"not expected to be up: {outside} BGP sessions to peers that are not in this lab"
    assert said in leaf.said
    status = leaf.ground.call("lab", "status")
    assert status.returncode == 0, status.stdout
    assert said in status.stdout


def test_a_tenant_goes_and_comes_back_with_an_older_plan(
    leaf: Leaf, driver: LinuxDriver, before: str
) -> None:
    running = driver.get_config()["running"]
    load(driver, "lean", leaf.lean)
    shown = driver.compare_config().splitlines()
    assert "- router bgp 4200000000 vrf blue" in shown
    assert "    address-family l2vpn evpn" not in shown
    assert "-iface vlan40" in shown
    driver.commit_config(revert_in=PATIENCE)
    assert driver.compare_config() == ""
    pending = driver.unfinished()
    assert pending is not None
    assert (pending.plan, pending.seconds > 0) == ("lean", True)
    driver.confirm_commit()
    driver.confirm_commit()  # to say it twice is no harm: the first answer may have been lost
    assert driver.unfinished() is None
    assert "blue" not in leaf.run("ip -o link; vtysh -c 'show running-config'")
    driver.claim("undo")
    with pytest.raises(NoCheckpoint):
        driver.load_checkpoint("never-made")
    driver.load_checkpoint("lean")
    driver.commit_config()
    assert driver.compare_config() == ""
    assert leaf.everything() == before
    assert driver.get_config()["running"] == running


def test_the_switch_undoes_what_nobody_confirms_even_when_nobody_is_there(
    leaf: Leaf, driver: LinuxDriver, before: str
) -> None:
    """The connection breaks while the switch is at it; no password is in any argument or text."""
    before = leaf.everything()
    candidate = described(leaf.rendered, "canary") | {PASSWORDS: f"admin:{CANARY}\n"}
    load(driver, "lonely", candidate)
    seen = [driver.compare_config(), driver.get_config()["running"]]
    assert "<<hidden:" in seen[0]
    # From the switch itself, where a command may live for a moment only.
    look = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '; sleep 0.4"
    leaf.run(f"touch /tmp/l; (while [ -e /tmp/l ]; do {look}; done) > /tmp/seen 2>/dev/null &")
    broken: list[Exception] = []

    def commit() -> None:
        try:
            driver.commit_config(revert_in=3)
        except ConnectionException as error:
            broken.append(error)

    committing = threading.Thread(target=commit)
    committing.start()
    wait(lambda: "applying" in leaf.run("cat /var/lib/fabricgen/commit.json 2>/dev/null; true"))
    driver.close()
    committing.join()
    assert broken
    driver.open()
    pending = driver.unfinished()
    assert pending is not None
    assert pending.plan == "lonely"
    wait(lambda: driver.unfinished() is None)
    assert leaf.everything() == before
    private = "find /var/lib/fabricgen /run/fabricgen -perm /077"
    assert leaf.run(private) == ""
    arguments = leaf.run("rm /tmp/l; cat /tmp/seen")
    seen += [arguments, *map(str, broken), leaf.run("cat /var/log/frr/* 2>/dev/null; true")]
    assert "frr-reload" in arguments
    assert not [each for each in seen if CANARY in each or "canary$" in each]


def test_a_commit_whose_process_is_killed_is_found_and_rolled_back(
    leaf: Leaf, driver: LinuxDriver, before: str
) -> None:
    load(driver, "killed", described(leaf.rendered, "killed"))
    driver.commit_config(revert_in=PATIENCE)
    leaf.run("pkill -KILL -x python3")
    wait(lambda: driver.unfinished() == Unfinished("killed", 0.0))
    with pytest.raises(CommitError, match="roll back"):
        driver.confirm_commit()
    driver.close()
    driver.open()
    with pytest.raises(Busy, match=r"a commit of plan killed by .* is not confirmed yet"):
        driver.claim("other")
    driver.claim("killed")
    driver.rollback()
    assert driver.unfinished() is None
    assert leaf.everything() == before


@longer
def test_another_asn_is_taken_and_undone(leaf: Leaf, driver: LinuxDriver, before: str) -> None:
    """No reload of FRR can change it where there are VRFs; BGP ends and begins anew, both ways."""
    other = leaf.rendered[FRR].replace("router bgp 4200000000", "router bgp 4201000000")
    load(driver, "asn", leaf.rendered | {FRR: other})
    driver.commit_config(revert_in=PATIENCE)
    assert driver.compare_config() == ""
    running = leaf.run("vtysh -c 'show running-config'")
    assert ("4200000000" in running, running.count("router bgp 4201000000")) == (False, 3)
    driver.rollback()
    assert driver.unfinished() is None
    assert leaf.everything() == before


@longer
def test_a_daemon_that_died_does_not_keep_the_switch_from_going_back(
    leaf: Leaf, driver: LinuxDriver, before: str
) -> None:
    """No reload reaches it; FRR is started anew from the file that ran before."""
    load(driver, "dead", described(leaf.rendered, "dead"))
    driver.commit_config(revert_in=PATIENCE)
    leaf.run("kill -KILL $(cat /run/frr/bgpd.pid)")
    driver.rollback()
    assert driver.unfinished() is None
    assert leaf.everything() == before


def test_what_frr_does_not_take_is_put_back(leaf: Leaf, driver: LinuxDriver, before: str) -> None:
    """FRR keeps the BGP instance of a VRF that has an L3VNI, and frr-reload.py is not atomic."""
    text = leaf.rendered[FRR]
    start = text.index("router bgp 4200000000 vrf blue")
    cut = text[:start] + text[text.index("\nexit\n!", start) + 7 :]
    candidate = described(leaf.rendered | {FRR: cut}, "half")
    setting = "net.ipv4.conf.default.rp_filter = "
    sysctl = "etc/sysctl.d/90-fabricgen.conf"
    load(driver, "half", changed(candidate, sysctl, f"{setting}0", f"{setting}2"))
    with pytest.raises(
        CommitError, match="unconfigure l3vni 50002 - the previous configuration is restored"
    ):
        driver.commit_config(revert_in=PATIENCE)
    assert driver.unfinished() is None
    assert leaf.everything() == before


def test_a_change_that_is_in_no_file_is_shown_and_kept(leaf: Leaf, driver: LinuxDriver) -> None:
    vtysh = "vtysh -c 'configure terminal' -c 'router bgp 4200000000' -c"
    leaf.run(f"{vtysh} 'neighbor 10.72.0.0 description by hand'")
    altered = leaf.everything()
    shown, _ = unpack(driver.get_config()["running"])
    assert "description by hand" in shown[FRR]
    assert shown[f"{FRR}.saved"] == leaf.rendered[FRR]
    load(driver, "hand", leaf.rendered)
    assert "-  neighbor 10.72.0.0 description by hand" in driver.compare_config().splitlines()
    driver.commit_config(revert_in=PATIENCE)
    assert "by hand" not in driver.get_config()["running"]
    driver.rollback()
    assert leaf.everything() == altered
    leaf.run(f"{vtysh} 'neighbor 10.72.0.0 description {SPINE}'")


KEEP = {
    "frr": "router bgp *\n neighbor 192.0.2.9 ~\nip prefix-list THEIRS ~\n",
    "interfaces": "auto agent0\niface agent0 ~\n",
}
FOREIGN_FRR = "neighbor 192.0.2.9 remote-as 65099"


def test_what_another_tool_owns_survives_a_push_and_is_no_difference(
    leaf: Leaf, driver: LinuxDriver, before: str
) -> None:
    theirs = leaf.driver(keep=KEEP)
    theirs.open()
    quiet = theirs.get_config()["running"]
    vtysh = "vtysh -c 'configure terminal' -c"
    leaf.run(
        f"{vtysh} 'router bgp 4200000000' -c '{FOREIGN_FRR}'; "
        f"{vtysh} 'ip prefix-list THEIRS seq 5 permit 192.0.2.0/24'; "
        f"cp /{INTERFACES} /tmp/before; printf '\nauto agent0\niface agent0 inet static\n"
        f"  link-type dummy\n  address 192.0.2.8/32\n' >> /{INTERFACES}; ifreload -a"
    )
    wait(lambda: "agent0 192.0.2.8/32" in leaf.everything())  # a busy guest is slow to set it
    assert theirs.get_config()["running"] == quiet
    assert theirs.kept_sections() == {
        "frr": f"ip prefix-list THEIRS seq 5 permit 192.0.2.0/24\n"
        f"router bgp 4200000000\n {FOREIGN_FRR}\n",
        "interfaces": "auto agent0\niface agent0 inet static\n    link-type dummy\n"
        "    address 192.0.2.8/32\n",
    }
    load(theirs, "same", leaf.rendered)
    assert theirs.compare_config() == ""
    theirs.discard_config()
    load(driver, "plain", leaf.rendered)
    assert "-  neighbor 192.0.2.9 remote-as 65099" in driver.compare_config()
    driver.discard_config()

    load(theirs, "kept", described(leaf.rendered, "another"))
    theirs.commit_config(revert_in=PATIENCE)
    theirs.confirm_commit()
    wait(lambda: "agent0 192.0.2.8/32" in leaf.everything())
    runs = leaf.everything()
    assert FOREIGN_FRR in runs
    assert "ip prefix-list THEIRS" in runs

    leaf.run(f"{vtysh} 'ip prefix-list THEIRS seq 6 permit 198.51.100.0/24'")
    theirs.claim("back")
    theirs.load_checkpoint("kept")
    theirs.commit_config()
    assert "198.51.100.0/24" in leaf.everything()  # as it is now, not as it was
    assert theirs.get_config()["running"] == quiet

    load(driver, "none", leaf.rendered)
    driver.commit_config()
    assert leaf.everything() == before
    theirs.close()


def _refused(leaf: Leaf, driver: LinuxDriver, files: Files) -> str:
    driver.claim("refused")
    with pytest.raises(ReplaceConfigException) as refusal:
        driver.load_replace_candidate(config=pack(files))
    return str(refusal.value)


def test_a_candidate_is_refused_with_the_line(leaf: Leaf, driver: LinuxDriver) -> None:
    files = leaf.rendered
    line = files[FRR].splitlines().index(" no bgp default ipv4-unicast") + 1
    said = _refused(leaf, driver, changed(files, FRR, "no bgp default", "no bgp defualt"))
    assert f"FRR refuses {FRR}: line {line}:" in said
    assert "no bgp defualt ipv4-unicast" in said
    line = files[INTERFACES].splitlines().index("iface swp5") + 1
    said = _refused(leaf, driver, changed(files, INTERFACES, "iface swp5", "ifase swp5"))
    assert f"ifupdown2 refuses {INTERFACES}: line{line}: error processing line 'ifase" in said
    said = _refused(leaf, driver, changed(files, INTERFACES, "10.72.0.1/31", "10.72.0.300/31"))
    assert 'swp5: address: invalid value "10.72.0.300/31"' in said


def test_a_candidate_is_refused_that_is_not_of_this_switch(leaf: Leaf, driver: LinuxDriver) -> None:
    files = leaf.rendered
    said = _refused(leaf, driver, files | {"etc/hostname": f"{SPINE}\n"})
    assert said.endswith(f"the configuration belongs to {SPINE}; this switch is {LEAF}")
    said = _refused(leaf, driver, files | {"etc/passwd": "root::0:0::/:/bin/sh\n"})
    assert said.endswith("fabricgen does not write 'etc/passwd' on a switch")
    stanza = "auto vni10040\niface vni10040\n"
    said = _refused(leaf, driver, changed(files, INTERFACES, stanza, ""))
    assert "creates vni10040, but no stanza removes it later" in said


def test_another_plan_is_busy(leaf: Leaf, driver: LinuxDriver) -> None:
    driver.claim("first")
    another = connected(leaf)
    with pytest.raises(Busy, match=r"held until .+ by plan first, started by .+@.+ at "):
        another.claim("second")
    driver.discard_config()
    another.claim("second")
    with pytest.raises(Busy, match="not claimed for plan first: plan second of"):
        driver.load_replace_candidate(config=pack(leaf.rendered))
    another.discard_config()
    another.close()


def test_an_impostor_is_told_nothing(leaf: Leaf, tmp_path: Path) -> None:
    known = (leaf.ground.labs / NAME / "known_hosts").read_text().splitlines()
    keys = {line.split()[0]: line.partition(" ")[2] for line in known}
    wrong = tmp_path / "known_hosts"
    for lines, said in (
        (f"{LEAF} {keys[SPINE]}\n", "host key of .* differs from"),
        (f"{SPINE} {keys[SPINE]}\n", "unknown host key"),
    ):
        wrong.write_text(lines)
        driver = leaf.driver(known_hosts=str(wrong))
        with pytest.raises(ConnectionException, match=said):
            driver.open()
        assert driver.is_alive() == {"is_alive": False}
    driver = leaf.driver(known_hosts=str(wrong), insecure=True)
    driver.open()
    driver.close()


def test_what_works_is_said(leaf: Leaf, driver: LinuxDriver) -> None:
    health = driver.health()
    up = {peer for peer, works in health.sessions.items() if works}
    assert up == {"default 10.64.255.254", "default 10.72.0.0"}
    assert len(health.sessions) == 4
    assert any(up for name, up in health.bfd.items() if name.startswith("default 10.72.0.0"))
    assert health.cables == {f"swp5 {SPINE} swp1"}
    assert health.links["swp5"]
    assert health.links["eth0"]
    assert health.routes["default 10.72.0.0 ipv4"] > 0
    assert health.observed is not None
    assert health.observed.measures["receive-errors", "swp5"] == 0
    assert health.unread == ()
    assert ("pause-sent",) in health.observed.unknown  # veth has no PFC
    facts = driver.get_facts()
    assert (facts["hostname"], facts["serial_number"]) == (LEAF, "")
    assert "swp5" in facts["interface_list"]

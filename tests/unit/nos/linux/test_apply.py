"""A Linux switch whose programs only note that they were called: in which order, and why not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.nos.linux.programs import RELOAD, RESTART_FRR, TEST, Programs

from fabricgen.nos.linux.driver.onswitch import apply, interfaces, services
from fabricgen.nos.linux.driver.onswitch.switch import SWITCH
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.refusal import Refusal
from fabricgen.nos.shared.onswitch.store import Tree

CONF, NETWORK, SYSCTL = (
    "etc/frr/frr.conf",
    "etc/network/interfaces",
    "etc/sysctl.d/90-fabricgen.conf",
)
DAEMONS, UNIT, PASSWORDS = "etc/frr/daemons", services.UNIT, "etc/fabricgen/passwords"
LLDP, UDEV = "etc/lldpd.d/fabricgen.conf", "etc/udev/rules.d/10-fabricgen.rules"
NOTHING: dict[str, Any] = {"failures": [], "strays": [], "kernel": {}, "running": None}
CHANGES = "Lines To Add\n============\nrouter bgp 1\n"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    return tmp_path


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> Programs:
    made = Programs()
    for module in (frr, interfaces, services):
        monkeypatch.setattr(module, "run", made.run)
    return made


def tree(**files: str) -> Tree:
    paths = {"conf": CONF, "network": NETWORK, "sysctl": SYSCTL, "daemons": DAEMONS, "unit": UNIT}
    held = {paths[name]: disk.File(text.encode()) for name, text in files.items()}
    return Tree(held, sorted(held))


def lay(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


ALL = tree(conf="router bgp 1\n", network="iface br0\n", sysctl="a.b = 1\n", daemons="x", unit="")


def test_the_steps_come_in_the_order_of_a_boot(root: Path, programs: Programs) -> None:
    lay(root, "proc/sys/a/b", "0")
    outcome = apply.apply(ALL, [*ALL.files, LLDP], NOTHING)
    assert (outcome.problems, outcome.remarks) == ([], [])
    assert programs.changing == [
        "systemctl daemon-reload",
        "ifreload -a",
        "systemctl restart fabricgen.service",
        "systemctl restart frr",
        f"{RELOAD} {root / CONF}",
        "systemctl restart lldpd",
    ]
    assert (root / "proc/sys/a/b").read_text() == "1"
    assert all((root / path).read_bytes() == file.data for path, file in ALL.files.items())


def test_what_was_not_touched_is_left_alone(programs: Programs) -> None:
    assert apply.apply(ALL, ["etc/issue.net"], NOTHING) == ([], [])
    assert programs.changing == []


@pytest.mark.parametrize(
    ("start", "problem", "last"),
    [
        ("systemctl daemon-reload", "systemctl daemon-reload: broken", "systemctl daemon-reload"),
        ("ifreload", "ifreload: broken", "ifreload -a"),
        (
            "systemctl restart fabricgen",
            "systemctl restart fabricgen.service: broken",
            "systemctl restart fabricgen.service",
        ),
        ("systemctl restart frr", "systemctl restart frr: broken", "systemctl restart frr"),
        (RELOAD, "frr-reload.py: broken", RELOAD),
        ("systemctl restart lldpd", "systemctl restart lldpd: broken", "systemctl restart lldpd"),
    ],
)
def test_the_first_step_that_fails_is_the_last(
    programs: Programs, start: str, problem: str, last: str
) -> None:
    programs.fail(start)
    outcome = apply.apply(ALL, [*ALL.files, LLDP], NOTHING)
    assert outcome.problems == [problem]
    assert programs.changing[-1].startswith(last)


def test_a_kernel_that_refuses_a_setting_ends_it(root: Path, programs: Programs) -> None:
    (root / "proc/sys/a/b").mkdir(parents=True)
    outcome = apply.apply(ALL, [SYSCTL, NETWORK], NOTHING)
    assert outcome.problems == []
    assert outcome.remarks == ["kernel setting a.b does not exist in this kernel"]
    assert "ifreload -a" in programs.changing


def test_what_does_not_run_although_every_step_went_well_is_a_problem(
    root: Path, programs: Programs
) -> None:
    lay(root, CONF, "router bgp 1\n")
    programs.answers[TEST] = Done(0, CHANGES, "")
    programs.answers["ifquery"] = Done(1, "iface swp1 [fail]\n\tmtu 9214 [fail]\n", "")
    programs.devices(("br0", "bridge"), ("vni9", "vxlan"), ("eth0", "veth"))
    known = {**NOTHING, "failures": [], "strays": []}
    assert apply.apply(ALL, [NETWORK], known).problems == [
        "FRR did not accept: + router bgp 1",
        "swp1 differs from the file: mtu 9214",
        f"device vni9 exists, but no stanza of /{NETWORK} names it",
    ]
    before = {**NOTHING, "failures": ["swp1 differs from the file: mtu 9214"], "strays": ["vni9"]}
    assert apply.apply(ALL, [NETWORK], before).problems == ["FRR did not accept: + router bgp 1"]
    assert apply.apply(ALL, [], known).problems == ["FRR did not accept: + router bgp 1"]


def test_devices_that_no_stanza_names_any_more_are_deleted(programs: Programs) -> None:
    programs.devices(("br0", "bridge"), ("vni8", "vxlan"), ("vni9", "vxlan"))
    apply.apply(ALL, [NETWORK], {**NOTHING, "strays": ["vni8"]})
    assert programs.changing == ["ifreload -a", "ip link delete dev vni9"]


def test_frr_reloads_also_when_only_what_it_runs_was_changed(
    root: Path, programs: Programs
) -> None:
    lay(root, CONF, "router bgp 1\n")
    programs.answers[TEST] = Done(0, CHANGES, "")
    apply.apply(ALL, ["etc/issue.net"], NOTHING)
    assert programs.changing == [f"{RELOAD} {root / CONF}"]


def test_an_frr_that_cannot_be_compared_is_said(root: Path, programs: Programs) -> None:
    lay(root, CONF, "router bgp 1\n")
    programs.fail(TEST)
    with pytest.raises(Exception, match=r"frr-reload\.py --test fails: broken"):
        apply.unsaved()


def test_what_frr_runs_is_kept_only_where_its_file_says_something_else(
    root: Path, programs: Programs
) -> None:
    programs.answers["vtysh"] = Done(0, "Building configuration...\nrouter bgp 2\nend\n", "")
    assert apply.unsaved() == "router bgp 2\n"
    lay(root, CONF, "router bgp 2\n")
    assert apply.unsaved() is None
    programs.answers[TEST] = Done(0, CHANGES, "")
    assert apply.unsaved() == "router bgp 2\n"


@pytest.mark.parametrize(
    ("path", "calls"),
    [
        ("etc/chrony/chrony.conf", ["systemctl restart chrony"]),
        ("etc/rsyslog.d/90-fabricgen.conf", ["systemctl restart rsyslog"]),
        ("etc/snmp/snmpd.conf", ["systemctl restart snmpd"]),
        ("etc/ssh/sshd_config.d/fabricgen.conf", ["systemctl reload ssh"]),
        (LLDP, ["systemctl restart lldpd"]),
        ("etc/ssh/authorized_keys.d/admin", []),
        ("etc/resolv.conf", []),
    ],
)
def test_who_reads_a_file_is_told(programs: Programs, path: str, calls: list[str]) -> None:
    assert services.readers([path]) == ([], [])
    assert programs.called == calls


def test_without_systemd_the_readers_are_named(root: Path, programs: Programs) -> None:
    (root / "run/systemd/system").rmdir()
    left = ["lldpd: no restart, because there is no systemd"]
    programs.fail("lldpcli")
    assert services.readers([LLDP, "etc/resolv.conf"]) == ([], left)
    programs.answers = {}
    assert services.readers([LLDP]) == ([], [])
    assert programs.called == [f"lldpcli -c {root / LLDP}"] * 2
    programs.called.clear()
    assert services.before_interfaces([UNIT, "etc/fabricgen/breakout.sh"]) == ([], [])
    assert programs.called == []
    assert services.daemons([DAEMONS]) == []
    programs.fail("sh -c /usr/lib/frr/watchfrr.sh")
    assert services.daemons([DAEMONS]) == ["watchfrr.sh: broken"]
    assert services.daemons([CONF]) == []
    assert programs.called == [RESTART_FRR] * 2


def test_new_names_of_ports_wait_for_a_boot() -> None:
    assert services.before_interfaces([UDEV]) == (
        [],
        ["port names (udev) take effect at the next boot"],
    )
    assert services.before_interfaces([CONF]) == ([], [])


def test_cages_are_split_by_the_unit_of_its_own(root: Path, programs: Programs) -> None:
    split = "etc/fabricgen/breakout.sh"
    assert services.before_interfaces([split]) == ([], [])
    lay(root, UNIT, "")
    lay(root, "etc/systemd/system/fabricgen-breakout.service", "")
    assert services.before_interfaces([split]) == ([], [])
    assert services.unit([split]) == ([], [])
    assert programs.called == ["systemctl restart fabricgen-breakout.service"]
    programs.fail("systemctl restart fabricgen-breakout")
    assert services.before_interfaces([split])[0] == [
        "systemctl restart fabricgen-breakout.service: broken"
    ]


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        ("etc/fabricgen/tc.batch", True),
        ("etc/sysusers.d/fabricgen.conf", True),
        ("etc/tmpfiles.d/fabricgen.conf", True),
        (UNIT, True),
        (CONF, False),
    ],
)
def test_the_unit_runs_when_what_it_reads_was_touched(
    root: Path, programs: Programs, path: str, *, runs: bool
) -> None:
    assert services.unit([path]) == ([], [])
    assert programs.called == []  # there is no unit
    lay(root, UNIT, "")
    assert services.unit([path]) == ([], [])
    assert programs.called == ["systemctl restart fabricgen.service"] * runs


COMMANDS = """[Service]
ExecStart=/bin/sh -c "chpasswd -e < /etc/fabricgen/passwords"
ExecStart=/sbin/tc -batch /etc/fabricgen/tc.batch
ExecStart=/etc/fabricgen/dcb.sh
"""


def test_without_systemd_the_units_commands_run_as_written(root: Path, programs: Programs) -> None:
    (root / "run/systemd/system").rmdir()
    lay(root, UNIT, COMMANDS)
    lay(root, PASSWORDS, "admin:$6$hash\n")
    assert services.unit([UNIT]) == ([], [])
    assert programs.called == [
        "/bin/sh -c chpasswd -e < /etc/fabricgen/passwords",
        "/sbin/tc -batch /etc/fabricgen/tc.batch",
        "/etc/fabricgen/dcb.sh",
    ]
    programs.called.clear()
    lay(root, PASSWORDS, "admin:<<secret:env:HASH>>\n")
    programs.fail("/sbin/tc")
    assert services.unit([UNIT]) == (
        ["/sbin/tc: broken"],
        ["passwords: not set, because the file has placeholders"],
    )
    assert programs.called == ["/sbin/tc -batch /etc/fabricgen/tc.batch"]


def test_what_a_checkpoint_has_is_put_back_step_by_step(root: Path, programs: Programs) -> None:
    lay(root, "proc/sys/a/b", "1")
    facts = {**NOTHING, "touched": [*ALL.files, LLDP], "kernel": {"a.b": "0"}}
    assert apply.restore(ALL, facts) == []
    assert (root / "proc/sys/a/b").read_text() == "0"
    assert programs.changing == [
        "systemctl daemon-reload",
        "ifreload -a",
        "systemctl restart fabricgen.service",
        "systemctl restart frr",
        f"{RELOAD} {root / CONF}",
        "systemctl restart lldpd",
    ]


def test_putting_back_goes_on_after_a_problem_and_names_each(programs: Programs) -> None:
    programs.fail("systemctl")
    programs.fail("ifreload")
    programs.fail(RELOAD)
    facts = {**NOTHING, "touched": [NETWORK, CONF, LLDP]}
    assert apply.restore(ALL, facts) == [
        "ifreload: broken",
        "frr-reload.py: broken",
        "systemctl restart frr: broken",
        "systemctl restart lldpd: broken",
    ]


@pytest.mark.parametrize("runs", [None, "ran\n"])
def test_what_a_reload_leaves_on_the_way_back_takes_a_start(
    root: Path, programs: Programs, runs: str | None
) -> None:
    """Without bgpd a reload says nothing, and what bgpd ran is not there."""
    programs.answers[TEST] = Done(0, CHANGES, "")
    facts = {**NOTHING, "touched": [CONF], "running": runs}
    assert apply.restore(tree(conf="x\n"), facts) == ["FRR did not accept: + router bgp 1"]
    again = f"{RELOAD} {root / CONF}"
    assert programs.changing == [again, "systemctl restart frr", again]


def test_what_ran_without_being_saved_runs_again_and_its_file_stays(
    root: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tree(conf="saved\n")
    facts = {**NOTHING, "touched": [CONF, DAEMONS], "running": "ran\n"}
    seen: list[str] = []
    run = programs.run

    def watched(words: Sequence[str], *rest: object, **more: object) -> Done:
        if "--reload" in words:
            seen.append((root / CONF).read_text())
        return run(words, *rest, **more)

    monkeypatch.setattr(frr, "run", watched)
    assert apply.restore(kept, facts) == []
    assert (seen, (root / CONF).read_text()) == (["ran\n"], "saved\n")
    programs.answers[TEST] = Done(0, CHANGES, "")
    assert apply.restore(kept, facts) == ["FRR did not accept: + router bgp 1"]
    programs.fail(RELOAD)
    assert apply.restore(kept, facts) == ["frr-reload.py: broken"]


def judged(files: dict[str, str], executable: Sequence[str] = ()) -> Tree:
    return SWITCH.judge(files, executable)


def test_a_candidate_is_what_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "leaf1.example.net")
    files = {"etc/hostname": "leaf1\n", CONF: "hostname leaf1\n", "etc/fabricgen/dcb.sh": "x"}
    candidate = judged(files, ["etc/fabricgen/dcb.sh"])
    assert {path: file.text for path, file in candidate.files.items()} == files
    assert [path for path, file in candidate.files.items() if file.runs] == ["etc/fabricgen/dcb.sh"]
    assert candidate.managed == sorted(files)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"etc/passwd": ""}, "fabricgen does not write 'etc/passwd'"),
        (
            {PASSWORDS: "admin:<<secret:env:X>>\n"},
            "etc/fabricgen/passwords has <<secret:env:X>> instead of a value",
        ),
        ({"etc/hostname": "leaf2\n"}, "the configuration belongs to leaf2; this switch is leaf1"),
        ({CONF: "log syslog\nhostname leaf3\n"}, "belongs to leaf3; this switch is leaf1"),
    ],
)
def test_what_cannot_be_this_switchs_is_refused(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, str], why: str
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "leaf1")
    with pytest.raises(Refusal, match=why):
        judged(files)


def test_the_programs_that_will_read_a_file_judge_it_first(root: Path, programs: Programs) -> None:
    programs.answers["vtysh -C"] = Done(1, "line 3: % Unknown command: nonsense\nmore\n", "")
    with pytest.raises(Refusal, match=r"FRR refuses etc/frr/frr\.conf: line 3: % Unknown command"):
        judged({CONF: "nonsense\n"})
    programs.answers["ifup -a -s"] = Done(0, "", f"error: {root}/run/fabricgen/judged: line1: x\n")
    with pytest.raises(Refusal, match="ifupdown2 refuses etc/network/interfaces: line1: x"):
        judged({NETWORK: "iface\n"})
    assert not (root / "run/fabricgen/judged").exists()


def test_what_runs_is_what_lies_there_unless_frr_runs_something_else(
    root: Path, programs: Programs
) -> None:
    lay(root, CONF, "router bgp 1\n")
    lay(root, PASSWORDS, "admin:secret\n")
    texts = {path: file.text for path, file in SWITCH.config(None).items()}
    assert texts[CONF] == "router bgp 1\n"
    assert "secret" not in texts[PASSWORDS]
    programs.answers[TEST] = Done(0, CHANGES, "")
    programs.answers["vtysh"] = Done(0, "neighbor 1.1.1.1 password secret\nend\n", "")
    now = {path: file.text for path, file in SWITCH.config(None).items()}
    assert now[f"{CONF}.saved"] == "router bgp 1\n"
    assert now[CONF].startswith("neighbor 1.1.1.1 password <<hidden:")
    assert set(SWITCH.config(tree(conf="x"))) == {CONF, PASSWORDS}


def test_a_difference_is_by_meaning_for_frr_and_by_line_for_files(
    root: Path, programs: Programs
) -> None:
    lay(root, "etc/hostname", "old\n")
    lay(root, CONF, "router bgp 1\n")
    script = disk.File(b"x", runs=True)
    after = Tree(
        {
            "etc/hostname": disk.File(b"new\n"),
            "etc/fabricgen/dcb.sh": script,
            CONF: disk.File(b"router bgp 2\n"),
        }
    )
    names = "--- running {0}\n+++ candidate {0}\n"
    files = (
        names.format("etc/fabricgen/dcb.sh")
        + "@@ -0,0 +1 @@\n+x\n"
        + names.format("etc/hostname")
        + "@@ -1 +1 @@\n-old\n+new\n"
    )
    spelled = names.format(CONF) + "@@ -1 +1 @@\n-router bgp 1\n+router bgp 2\n"
    assert SWITCH.compare(after) == spelled + files
    programs.answers[TEST] = Done(0, CHANGES, "")
    assert SWITCH.compare(after) == names.format(CONF) + "+ router bgp 1\n" + files
    assert SWITCH.touched(after) == ["etc/fabricgen/dcb.sh", CONF, "etc/hostname"]


def test_that_a_file_may_be_run_is_a_difference(root: Path) -> None:
    path = "etc/fabricgen/dcb.sh"
    lay(root, path, "x\n")
    runs = Tree({path: disk.File(b"x\n", runs=True)})
    assert SWITCH.compare(runs) == f"--- running {path}\n+++ candidate {path}\n+ executable\n"
    (root / path).chmod(0o755)
    assert SWITCH.compare(runs) == ""
    plain = Tree({path: disk.File(b"x\n")})
    assert SWITCH.compare(plain) == f"--- running {path}\n+++ candidate {path}\n- executable\n"


def test_a_checkpoint_has_what_a_commit_may_change(root: Path, programs: Programs) -> None:
    lay(root, "proc/sys/a/b", "0")
    lay(root, "proc/sys/c/d", "7")
    lay(root, SYSCTL, "c.d = 7\n")
    programs.answers["ifquery"] = Done(1, "iface swp1 [fail]\n\tmtu 9214 [fail]\n", "")
    programs.devices(("vni9", "vxlan"))
    kept, facts = SWITCH.checkpoint(ALL, [SYSCTL, NETWORK])
    assert set(kept.files) == {SYSCTL}
    assert kept.managed is None
    assert facts == {
        "running": "\n",
        "kernel": {"a.b": "0", "c.d": "7"},
        "failures": ["swp1 differs from the file: mtu 9214"],
        "strays": ["vni9"],
    }
    assert set(SWITCH.checkpoint(ALL, [SYSCTL])[1]) == {"running", "kernel"}


def test_a_checkpoint_is_a_candidate_with_what_frr_ran() -> None:
    kept = tree(conf="saved\n", daemons="x")
    assert SWITCH.again(kept, {"running": None}) == kept
    again = SWITCH.again(kept, {"running": "ran\n"})
    assert {path: file.text for path, file in again.files.items()} == {CONF: "ran\n", DAEMONS: "x"}
    assert SWITCH.again(Tree({}, None), {"running": "ran\n"}).files[CONF].text == "ran\n"


def test_a_fingerprint_changes_with_a_file_and_with_what_frr_runs(
    root: Path, programs: Programs
) -> None:
    lay(root, "etc/hostname", "leaf1\n")
    seen = {SWITCH.fingerprint()}
    assert seen == {SWITCH.fingerprint()}
    lay(root, "etc/hostname", "leaf2\n")
    seen.add(SWITCH.fingerprint())
    (root / "etc/hostname").chmod(0o755)
    seen.add(SWITCH.fingerprint())
    programs.answers["vtysh"] = Done(0, "router bgp 1\n", "")
    seen.add(SWITCH.fingerprint())
    assert len(seen) == 4


def test_facts_of_the_machine(root: Path) -> None:
    lay(root, "proc/uptime", "5.5 1\n")
    lay(root, "etc/debian_version", "12.5\n")
    lay(root, "sys/class/dmi/id/sys_vendor", "NVIDIA\n")
    lay(root, "sys/class/dmi/id/product_name", "SN5600\n")
    lay(root, "sys/class/dmi/id/product_serial", "MT1\n")
    for name in ("swp2", "swp1"):
        (root / "sys/class/net" / name).mkdir(parents=True)
    facts = SWITCH.facts()
    assert {key: facts[key] for key in facts if key not in ("hostname", "fqdn")} == {
        "uptime": 5.5,
        "vendor": "NVIDIA",
        "model": "SN5600",
        "serial_number": "MT1",
        "os_version": "Debian 12.5",
        "interface_list": ["swp1", "swp2"],
    }
    (root / "etc/debian_version").unlink()
    assert SWITCH.facts()["os_version"] == ""

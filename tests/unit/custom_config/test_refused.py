"""Each word that own lines may not begin with, and each path that own files may not have."""

import pytest

from fabricgen.nos.eos.own_lines import FILE as EOS
from fabricgen.nos.linux.driver.onswitch import own_files
from fabricgen.nos.linux.own_lines import FRR, INTERFACES
from fabricgen.nos.own_file import OwnFile

LINES = {
    "eos": (
        EOS,
        (
            *[
                "end",
                "exit",
                "abort",
                "configure",
                "commit",
                "rollback",
                "disable",
                "do",
                "session",
                "comment",
            ],
            "enable",
            *[
                "bash",
                "bootup",
                "boot",
                "clear",
                "copy",
                "delete",
                "erase",
                "format",
                "install",
                "mkdir",
                "more",
            ],
            *[
                "python-shell",
                "reload",
                "rename",
                "reset",
                "rmdir",
                "run",
                "save",
                "send",
                "ssh",
                "telnet",
                "write",
            ],
            "zerotouch",
            "banner",
            "certificate",
            "code",
            "input",
            "pem",
            *("action bash", "action python", "alias", "event-handler", "exec", "trigger"),
            "schedule blue interval 5 command bash",
            "interface Ethernet1-4",
            "interface Ethernet1,2",
            "vlan 10-12",
            "vxlan vlan add 10 vni 20",
            "interface Ethernet 1",
            "interface Ethernet01",
        ),
    ),
    "frr": (
        FRR,
        (
            *[
                "end",
                "exit",
                "quit",
                "configure",
                "write",
                "copy",
                "clear",
                "do",
                "find",
                "terminal",
                "vtysh",
            ],
            "watchfrr",
            "mtrace",
            "ping",
            "who",
            "list",
            "show",
            "logmsg errors hello",
            *("line vty", "log file", "banner", "password", "enable password"),
            *("router bgp", "router bgp view blue", "router bgp as-notation plain"),
            "router bgp 65001 vrf default",
            *("address-family ipv4", "address-family ipv6", "address-family evpn"),
            "log commands",
        ),
    ),
    "interfaces": (
        INTERFACES,
        (
            *("up true", "down true", "pre-up true", "pre-down true", "post-up true"),
            "post-down true",
            *("address 192.0.2.1 \\", "mtu ${size}", "<% size %>", "mtu 1 %>", "% if size:"),
        ),
    ),
}
EVERY = [(name, file, line) for name, (file, lines) in LINES.items() for line in lines]
TAKEN = [
    (EOS, "schedule blue interval 5 command show version"),
    (EOS, "enable secret 0"),
    (EOS, "interface Ethernet1/1"),
    (EOS, "vlan 10"),
    (FRR, "router bgp 65001"),
    (FRR, "address-family ipv4 unicast"),
    (INTERFACES, "mtu 9000"),
]
RUNS = (
    "cron.d crontab anacrontab at.allow systemd init.d rc.local udev ifplugd ppp dhcp resolvconf "
    "default networkd-dispatcher acpi hotplug.d smartd.conf smartmontools profile.d bash.bashrc "
    "zsh zprofile zlogin zlogout csh.login skel inputrc update-motd.d xdg X11 apt dpkg logrotate.d "
    "kernel initramfs-tools modprobe.d needrestart grub.d dbus-1 alternatives python3 perl"
)
OPENS = (
    "passwd shadow group gshadow subuid subgid sudoers.d doas.conf pam.d security ssh sysusers.d "
    "polkit-1 nsswitch.conf shells securetty login.defs hosts.allow hosts.deny"
)
KERNEL = (
    "ld.so.preload environment.d sysctl.d modules-load.d binfmt.d tmpfiles.d fstab crypttab mdadm "
    "lvm machine-id nftables.conf iptables iproute2"
)
OURS = "network NetworkManager netplan frr snmp fabricgen"
FENCED = {
    "programs run": RUNS,
    "controls logins": OPENS,
    "kernel": KERNEL,
    "fabricgen writes": OURS,
}


@pytest.mark.parametrize(("name", "file", "line"), EVERY, ids=[f"{n}: {at}" for n, _, at in EVERY])
def test_a_line_that_is_no_configuration_is_refused_for_one_reason(
    name: str, file: OwnFile, line: str
) -> None:
    assert sum(bool(row.fullmatch(line)) for row, _ in file.refused) == 1, name


@pytest.mark.parametrize("name", LINES)
def test_each_reason_to_refuse_a_line_has_a_line(name: str) -> None:
    file, lines = LINES[name]
    idle = [row for row, _ in file.refused if not any(map(row.fullmatch, lines))]
    assert not idle


@pytest.mark.parametrize(("file", "line"), TAKEN)
def test_a_line_of_a_configuration_is_taken(file: OwnFile, line: str) -> None:
    assert not [why for row, why in file.refused if row.fullmatch(line)]


@pytest.mark.parametrize(
    ("name", "why"), [(name, why) for why, names in FENCED.items() for name in names.split()]
)
def test_an_own_file_stays_out_of_what_the_system_reads(name: str, why: str) -> None:
    assert why in own_files.refusal(f"etc/{name}/mine")


@pytest.mark.parametrize("root", ["etc/", "srv/", "usr/local/etc/", "usr/local/share/"])
def test_an_own_file_may_be_below_each_root(root: str) -> None:
    assert own_files.refusal(f"{root}mine") == ""

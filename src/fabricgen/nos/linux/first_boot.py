"""Build the first-boot script that makes a Linux switch reachable for a push.

Debian's dhclient passes DHCP answers to hooks (isc-dhcp-client 4.4.3: dhclient-script(8), HOOKS;
option 67 is bootfile-name in dhcp-options(5)). The ZTP of SONiC, which is also a Debian, starts the
same way (sonic-net/sonic-ztp src/usr/lib/ztp/dhcp/ztp). The image contains one hook, the same for
all switches.
"""

from collections.abc import Iterator, Mapping

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import MANAGEMENT_PORT
from fabricgen.nos.nos import FirstBoot

START = "first-boot"
HOOK = "etc/dhcp/dhclient-exit-hooks.d/fabricgen"
_INTERFACES = "etc/network/interfaces"
_SYSCTL = "etc/sysctl.d/90-fabricgen.conf"
_KEPT = ("etc/hostname", "etc/sysusers.d/", "etc/tmpfiles.d/", "etc/ssh/")
_END = "END-OF-FILE"

IMAGE = {
    _INTERFACES: f"auto lo\niface lo inet loopback\n\nauto {MANAGEMENT_PORT}\n"
    f"iface {MANAGEMENT_PORT} inet dhcp\n",
    HOOK: """\
# Runs what DHCP option 67 names, once, as root, and starts anew (dhclient-script(8), HOOKS).
# dhclient-script reads these lines as its own, so they leave its shell as it was.
(
    first=/var/lib/fabricgen/first-boot
    case "$reason $new_bootfile_name" in
    "BOUND http"* | "REBOOT http"*) [ ! -e "$first" ] || exit 0 ;;
    *) exit 0 ;;
    esac
    mkdir -p "${first%/*}"
    python3 - "$new_bootfile_name" "$first.new" <<'PYTHON' || exit 0
import sys, urllib.request
answer = urllib.request.urlopen(sys.argv[1], timeout=30)
open(sys.argv[2], "wb").write(answer.read())
PYTHON
    sh "$first.new" && mv "$first.new" "$first" && reboot
)
""",
}
"""Files of an image besides Debian's packages, by path: DHCP on its only port, and a hook."""


def first_boot(switch_slice: SwitchSlice, files: Mapping[str, str], url: str) -> FirstBoot:
    """Return the script for the name, accounts with their keys, and the management port.

    Its lines equal the rendered files, so the first push does not change them. The push adds
    passwords, which are secrets, and the rest.
    """
    del url
    kept = {path: text for path, text in files.items() if path.startswith(_KEPT)}
    kept[_SYSCTL] = "".join(_listening(files[_SYSCTL]))
    stanzas = [f"auto {name}\n" for name in ("lo", switch_slice.services.vrf, MANAGEMENT_PORT)]
    blocks = files[_INTERFACES].split("\n\n")
    kept[_INTERFACES] = "\n\n".join(
        block.strip("\n") for block in blocks if block.lstrip("\n").startswith(tuple(stanzas))
    )
    name = switch_slice.switch.name
    script = [f"#!/bin/sh -e\n# First boot of {name}: what a push needs to reach it.\n"]
    script += [_file(path, text) for path, text in sorted(kept.items())]
    script += [
        f"{command} fabricgen.conf\n"
        for folder, command in (
            ("etc/sysusers.d/", "systemd-sysusers"),
            ("etc/tmpfiles.d/", "systemd-tmpfiles --create"),
        )
        if any(path.startswith(folder) for path in kept)
    ]
    return FirstBoot(files={START: "".join(script)}, start=START, image=IMAGE)


def _listening(text: str) -> Iterator[str]:
    """Yield the settings that let sshd answer in the management VRF."""
    return (line for line in text.splitlines(keepends=True) if "l3mdev_accept" in line)


def _file(path: str, text: str) -> str:
    """Return the lines of a script that write a file without shell expansion of its text."""
    folder = path.rpartition("/")[0]
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"mkdir -p /{folder}\ncat >/{path} <<'{_END}'\n{ended}{_END}\n"

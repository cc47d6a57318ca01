"""STAND-IN for EOS, part 1: lines of a configuration in; a canonical text of sections out.

No EOS has run this. It knows lines, not meanings: which first words open a section, which belong
in one, and that a command the current section does not know is tried in the ones around it, as
EOS does with lines that come without indentation. Whatever no section knows is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field


class Refused(Exception):  # noqa: N818 - what a switch says
    """A command that this switch does not take."""


# Mode: (pattern of a line that opens a section, mode of that section), then lines it holds.
_OPENS: dict[str, dict[str, str]] = {
    "top": {
        r"interface \S+": "interface",
        r"router bgp \d+": "bgp",
        r"router bfd": "bfd",
        r"platform trident mmu queue profile \w+": "mmu",
        r"link tracking group \S+": "tracking",
        r"vlan \d+(-\d+)?": "vlan",
        r"vrf instance \S+": "vrf",
        r"qos profile \S+": "profile",
        r"route-map \S+ (permit|deny) \d+": "route-map",
        r"ip prefix-list \S+": "prefixes",
        r"management (api (http-commands|gnmi|netconf|restconf)|ssh|security)": "management",
        r"ip access-list (standard )?\S+": "list",
        r"daemon \S+": "daemon",
    },
    "bgp": {r"vlan \d+": "bgp-vlan", r"address-family \S+": "family", r"vrf \S+": "bgp-vrf"},
    "bgp-vrf": {r"address-family \S+": "family"},
    "management": {
        r"vrf \S+": "management-vrf",
        r"transport (grpc|ssh|https) \S+": "management",
        r"ssl profile \S+": "ssl",
    },
    "interface": {r"(uc-)?tx-queue \d+": "queue", r"evpn ethernet-segment": "segment"},
    "profile": {r"(uc-)?tx-queue \d+": "queue"},
}
_HOLDS: dict[str, str] = {
    "top": r"hostname|username|enable|aaa|ip (routing|route|virtual-router|domain|name-server)"
    r"|ip (community-list|access-list)|ip address virtual source-nat vrf|ipv6 unicast-routing"
    r"|ntp|logging|lldp|snmp-server"
    r"|sflow|ptp|(ip )?(tacacs|radius)(-server)?|spanning-tree|port-channel load-balance"
    r"|service|vlan internal|dns|qos map|priority-flow-control"
    r"|platform trident mmu (queue profile \w+ apply|headroom-pool)",
    "interface": r"description|mtu|speed|switchport|ip (address|access-group)|vrf"
    r"|ipv6 (enable|address|nd)"
    r"|link tracking|ptp|lacp system-id"
    r"|shutdown|service-profile|channel-group|spanning-tree (portfast|bpduguard)|vxlan|qos trust",
    "bgp": r"router-id|update wait-install|bgp|maximum-paths|neighbor|redistribute",
    "bgp-vlan": r"rd|route-target|redistribute",
    "bgp-vrf": r"rd|route-target|router-id|neighbor|redistribute|maximum-paths",
    "family": r"neighbor",
    "bfd": r"(multihop )?interval",
    "mmu": r"ingress (threshold|headroom)",
    "tracking": r"links|recovery",
    "segment": r"identifier|designated-forwarder|route-target",
    "ssl": r"certificate",
    "vlan": r"name",
    "vrf": r"description",
    "profile": r"qos trust|priority-flow-control",
    "queue": r"priority|bandwidth|random-detect",
    "route-map": r"match|set",
    "prefixes": r"seq",
    "management": r"protocol|provider|shutdown|port|ip access-group",
    "management-vrf": r"shutdown|ip access-group",
    "list": r"\d+|permit|deny",
    "daemon": r"exec|shutdown",
}


@dataclass
class Section:
    mode: str
    lines: set[str] = field(default_factory=set)
    sections: dict[str, Section] = field(default_factory=dict)

    def text(self, indent: str = "") -> str:
        out = [f"{indent}{line}\n" for line in sorted(self.lines)]
        for head, section in sorted(self.sections.items(), key=_place):
            out += [f"{indent}!\n", f"{indent}{head}\n", section.text(indent + "   ")]
        return "".join(out)


def _place(section: tuple[str, Section]) -> tuple[bool, str]:
    """Return the place of a section: VLANs come before `router bgp`, which has such lines, too."""
    return not section[0].startswith("vlan "), section[0]


class Configuration:
    """A configuration that is being entered; texts that say the same are equal."""

    def __init__(self, text: str = "") -> None:
        self.top = Section("top")
        self._path = [self.top]
        self.enter_text(text)

    def text(self) -> str:
        return self.top.text() + "!\nend\n"

    def enter_text(self, text: str, ignored: str = r"(?!)") -> None:
        """Enter a file: comments are skipped, a banner ends at its line EOF."""
        lines = iter(text.splitlines())
        for line in lines:
            word = line.strip()
            if not word or word == "end" or word.startswith("!") or re.search(ignored, word):
                continue
            if word.startswith("banner "):
                body = list(iter(lines.__next__, "EOF"))
                self.enter(word, "\n".join(body))
            else:
                self.enter(word)
        self._path = [self.top]

    def enter(self, command: str, given: str = "") -> None:
        if command.startswith("banner "):
            if not given:
                raise Refused("Incomplete command")
            self.top.lines.add(f"{command}\n{given}\nEOF")
            return
        while not self._taken(self._path[-1], command):
            if len(self._path) == 1:
                raise Refused(f"Invalid input (at token 0: {command.split(maxsplit=1)[0]!r})")
            self._path.pop()

    def _taken(self, section: Section, command: str) -> bool:
        for pattern, mode in _OPENS.get(section.mode, {}).items():
            if re.fullmatch(pattern, command):
                self._path.append(section.sections.setdefault(command, Section(mode)))
                return True
        bare = command.removeprefix("no ")
        if section.sections.pop(bare, None) is not None:
            return True
        if not re.match(rf"({_HOLDS[section.mode]})\b", bare):
            return False
        self._set(section, command, bare)
        return True

    @staticmethod
    def _set(section: Section, command: str, bare: str) -> None:
        same = {line for line in section.lines if line == bare or line.startswith(f"{bare} ")}
        section.lines -= {f"no {bare}"}
        if command == bare:
            section.lines.add(command)
        elif same:
            section.lines -= same
        else:
            section.lines.add(command)

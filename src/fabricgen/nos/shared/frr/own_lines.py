"""Insert custom lines into frr.conf."""

import re

from fabricgen.nos.own_file import OwnFile, lines_of
from fabricgen.nos.shared.onswitch.frr import MANNER
from fabricgen.nos.shared.onswitch.hidden import ROUTING

_ACTS = (
    "end|exit|quit|configure|write|copy|clear|do|find|terminal|vtysh|watchfrr|mtrace|ping|who|list|"
    "show"
)
_CLOSED = re.compile(
    r"(ip|ipv6|bgp) (prefix-list|(?:ext|large-)?community-list|as-path access-list|access-list)"
    r"(?: (?:standard|expanded))? (\S+)"
)


def frr_file(path: str) -> OwnFile:
    """Return the rules for custom config in frr.conf at `path`."""
    return OwnFile(
        path=path,
        manner=MANNER,
        closed=_CLOSED,
        port="interface {}",
        secrets=(ROUTING,),
        refused=(
            # FRRouting/frr doc/user/basic.rst, Terminal Mode Commands, and doc/user/vtysh.rst:
            # these are no lines of a configuration. (Debugging options are: Config Commands there.)
            (lines_of(_ACTS), "it is a command, not a configuration"),
            (re.compile(r"logm\S* .*"), "it is a command, not a configuration"),
            # The same, Basic Config Commands: access to the daemons, and their log targets.
            (
                lines_of("line vty|log file|banner|password|enable password"),
                "custom config must not open management access",
            ),
            # FRRouting/frr doc/user/bgp.rst: other spellings of existing sections.
            (
                re.compile(r"router bgp(?: view .*| as-not.*| \S+ vrf default)?"),
                "another name of a section: write `router bgp` with its number",
            ),
            (
                re.compile(r"address-f\S* (?:ipv4|ipv6|evpn)"),
                "an abbreviation of a section: write `ipv4 unicast` or `l2vpn evpn`",
            ),
            # The same: `log commands` writes complete command lines, passwords included.
            (re.compile("log commands"), "it writes passwords into logs"),
        ),
    )

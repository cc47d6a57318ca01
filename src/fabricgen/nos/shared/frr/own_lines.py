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
    """Return how frr.conf takes own lines, for an OS that has it at `path`."""
    return OwnFile(
        path=path,
        manner=MANNER,
        closed=_CLOSED,
        port="interface {}",
        secrets=(ROUTING,),
        refused=(
            # FRRouting/frr doc/user/basic.rst, Terminal Mode Commands, and doc/user/vtysh.rst: none
            # of them is a line of configuration. (Debugging options are: Config Commands there.)
            (lines_of(_ACTS), "it is a command, not a configuration"),
            (re.compile(r"logm\S* .*"), "it is a command, not a configuration"),
            # The same, Basic Config Commands: who may speak to the daemons, and where they write.
            (
                lines_of("line vty|log file|banner|password|enable password"),
                "own lines open no other way in",
            ),
            # FRRouting/frr doc/user/bgp.rst: other spellings of sections that are there.
            (
                re.compile(r"router bgp(?: view .*| as-not.*| \S+ vrf default)?"),
                "it is another name of a section: write `router bgp` with its number",
            ),
            (
                re.compile(r"address-f\S* (?:ipv4|ipv6|evpn)"),
                "it is short for a section: write `ipv4 unicast` or `l2vpn evpn`",
            ),
            # The same: `log commands` writes full command lines, passwords included.
            (re.compile("log commands"), "it writes passwords into logs"),
        ),
    )

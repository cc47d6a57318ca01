"""The read-only commands that show the state of a switch, and the one script that runs them all.

One shell and one vtysh a switch: a vtysh costs 0.25 s in a virtual lab. After each output comes a
record separator, which no JSON has, with the command's key and exit status. Standard error goes
into the output, so that what failed can be said.
"""

from typing import NamedTuple

from fabricgen.nos.shared.documents import VTYSH, script


class Command(NamedTuple):
    """One command; `line` is shell."""

    key: str
    line: str


_ASKED = " ".join(f"-c '{line}'" for line in VTYSH)

# Kernel routes, not zebra's: they are what packets follow. All of them are of bgpd, whose protocol
# has that name in iproute2's rt_protos.
# tc says neither filters nor classes of all ports at once, but one batch can ask for each; classes
# are text even with -j, so the list of filters, which is never left out, ends each port.
COMMANDS = (
    Command("addresses", "ip -j -d address show"),
    Command("vlans", "bridge -j vlan show"),
    Command("routes", "ip -j -4 route show table main proto bgp"),
    Command("queues", "tc -j -d qdisc show"),
    Command(
        "filters",
        'cd /sys/class/net && set -- $(ls -d swp* 2>/dev/null); echo "$@"; for port; do '
        'echo "class show dev $port"; echo "filter show dev $port parent 1:"; done '
        "| tc -j -batch -",
    ),
    Command("lldp", "lldpcli -f json0 show neighbors"),
    Command("frr", f"vtysh -E {_ASKED}"),
)

SCRIPT = script(COMMANDS)
"""What a shell on the switch is given. It writes nothing."""

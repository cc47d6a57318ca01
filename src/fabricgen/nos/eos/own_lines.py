"""Insert custom lines into eos.cfg."""

import re

from fabricgen.core.tree.outline import OutlineSyntax
from fabricgen.nos.eos.driver.configuration import SECRETS
from fabricgen.nos.own_file import OwnFile, lines_of

_MODES = "end|exit|abort|configure|commit|rollback|disable|do|session|comment"
_ACTS = (
    "bash|bootup|boot|clear|copy|delete|erase|format|install|mkdir|more|python-shell|reload|rename|"
    "reset|rmdir|run|save|send|ssh|telnet|write|zerotouch"
)
_TEXTS = "banner|certificate|code|input|pem"
_PROGRAMS = "action bash|action python|alias|event-handler|exec|trigger"

MANNER = OutlineSyntax(
    step=3,
    comment="!",
    separator="!",
    ends=frozenset({"end", "exit", "!"}),
    last="end",
    shuts=frozenset({"shutdown"}),
    # napalm/eos/eos.py, HEREDOC_COMMANDS.
    texts={"banner login": 1, "banner motd": 1, "protocol https certificate": 2},
    remark="!!",
)
FILE = OwnFile(
    path="eos.cfg",
    manner=MANNER,
    closed=re.compile(
        r"(ip|ipv6|qos) (profile|prefix-list|(?:ext)?community-list|(?:as-path )?access-list)"
        r"(?: (?:standard|regexp))? (\S+)"
    ),
    port="interface {}",
    secrets=SECRETS,
    refused=(
        # EOS User Manual, Command Modes; arista.com/en/um-eos/eos-configure-session: each leaves
        # the session that the file is loaded in.
        (lines_of(_MODES), "it controls the session and is no configuration"),
        (re.compile(r"enable(?! secret | password ).*"), "it controls the session"),
        # The same: commands of privileged EXEC mode, which a configuration mode accepts, too.
        (lines_of(_ACTS), "it is an EXEC command, not a configuration"),
        # pyavd 6.4.0, schema of banners and of router_general's control functions: they end at EOF.
        (lines_of(_TEXTS), "it begins a text of several lines"),
        # EOS User Manual, Event Manager, and Custom daemons: each starts a program.
        (lines_of(_PROGRAMS), "it runs a program, which custom config must not do"),
        # EOS User Manual, Command-Line Scheduler: `schedule NAME interval N … command COMMAND` runs
        # any command, including `bash …`; only `show` is in default configurations.
        (
            re.compile(r"sch\S* (?!.* command show ).*"),
            "it runs a command on a schedule; only `command show …` is allowed",
        ),
        # EOS User Manual, Ethernet Ports: a range cannot be compared with rendered ports.
        (re.compile(r"int[a-z]* \S*\d[-,$].*"), "it is several interfaces: write one at a time"),
        # The same, VLANs and VXLAN: `vlan 10-12`, `vxlan vlan 10-12 vni 20-22`, `vxlan vlan add`.
        (
            re.compile(r"(?:vx\S* )?vl\S* (?:\d+[-,]|add ).*"),
            "it is several VLANs: write one at a time",
        ),
        # `interface Ethernet 1`, `Ethernet01`: other spellings of an existing interface.
        (
            re.compile(r"int[a-z]* (?:\S*[A-Za-z]+ .*|.*(?<!\d)0\d.*)"),
            "write the name without a blank and without a zero before the number",
        ),
    ),
)

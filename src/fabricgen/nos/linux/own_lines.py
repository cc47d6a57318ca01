"""How the files of a plain Linux switch take own lines."""

import re

from fabricgen.nos.linux.driver.onswitch.interfaces import MANNER
from fabricgen.nos.own_file import OwnFile
from fabricgen.nos.shared.frr.own_lines import frr_file

FRR = frr_file("etc/frr/frr.conf")
INTERFACES = OwnFile(
    path="etc/network/interfaces",
    manner=MANNER,
    port="iface {}",
    heads=re.compile(r"(?:auto|allow-hotplug|iface) [A-Za-z0-9][A-Za-z0-9_.@-]{0,30}"),
    secrets=(re.compile(r"(\b(?:wpa-psk|wireless-key|password) )(\S+)"),),
    refused=(
        # CumulusNetworks/ifupdown2, ifupdown2/addons/usercmds.py: each of them is run.
        (re.compile(r"(?:pre-|post-)?(?:up|down)(?: .*)?"), "it runs a command"),
        # ifupdown2's interfaces(5): a backslash at the end goes on in the next line, and it knows
        # templates in Mako.
        (re.compile(r".*(?:\\|\$\{|<%|%>).*|%.*"), "it goes on in another line, or is a template"),
    ),
)

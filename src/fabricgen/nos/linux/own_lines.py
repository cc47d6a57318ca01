"""Insert custom lines into the files of a plain Linux switch."""

import re

from fabricgen.nos.linux.driver.onswitch import own_files
from fabricgen.nos.linux.driver.onswitch.files import FILES as RENDERED
from fabricgen.nos.linux.driver.onswitch.interfaces import MANNER
from fabricgen.nos.own_file import OwnFile, OwnFiles
from fabricgen.nos.shared.frr.own_lines import frr_file

FRR = frr_file("etc/frr/frr.conf")
INTERFACES = OwnFile(
    path="etc/network/interfaces",
    manner=MANNER,
    port="iface {}",
    heads=re.compile(r"(?:auto|allow-hotplug|iface) [A-Za-z0-9][A-Za-z0-9_.@-]{0,30}"),
    secrets=(own_files.SECRET,),
    refused=(
        # CumulusNetworks/ifupdown2, ifupdown2/addons/usercmds.py runs each of these.
        (re.compile(r"(?:pre-|post-)?(?:up|down)(?: .*)?"), "it runs a command"),
        # ifupdown2's interfaces(5): a backslash at the end continues in the next line, and Mako
        # templates are supported.
        (
            re.compile(r".*(?:\\|\$\{|<%|%>).*|%.*"),
            "it continues in another line, or is a template",
        ),
    ),
)


def _refusal(path: str) -> str:
    if RENDERED.renders(path):
        return "fabricgen may write this file: use the keys of the intent"
    return own_files.refusal(path)


FILES = OwnFiles(refusal=_refusal, secret=own_files.SECRET)

"""Write the startup-config of an EOS switch, which has only its management section.

EOS loads the file that DHCP option 67 names and boots again with it. A file that does not begin
with `#!` is a startup-config (Arista, EOS User Manual, Zero Touch Provisioning). Every line is also
in the complete configuration, so the first push changes only the certificate of eAPI.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.nos import FirstBoot

START = "startup-config"
_KEPT = (
    *("no aaa root", "username ", "hostname ", "management api http-commands", "management ssh"),
    *("aaa authentication ", "aaa authorization exec ", "interface Management1"),
    *(
        "radius-server ",
        "tacacs-server ",
        "ip access-list standard MANAGEMENT",
        "ip radius ",
        "ip tacacs ",
    ),
)
_OWN_CERTIFICATE = re.compile(r"^( *protocol https) ssl profile \S+$", re.MULTILINE)


def first_boot(switch_slice: SwitchSlice, files: Mapping[str, str], url: str) -> FirstBoot:
    """Return the configuration of the management port, eAPI, SSH and the accounts.

    eAPI uses the certificate that EOS generates. A profile whose files are not yet on the switch
    would disable eAPI.
    """
    del url
    vrf = switch_slice.services.vrf
    kept = (*_KEPT, f"vrf instance {vrf}", f"ip route vrf {vrf} ")
    blocks = [each for each in _blocks(files["eos.cfg"]) if each.startswith(kept)]
    text = "!\n".join(("", *blocks, "end\n"))
    return FirstBoot(files={START: _OWN_CERTIFICATE.sub(r"\1", text)}, start=START)


def _blocks(text: str) -> Iterator[str]:
    """Yield each line that is not indented, with the indented lines below it."""
    block = ""
    for line in text.splitlines(keepends=True):
        if line.startswith("!"):
            continue
        if block and not line.startswith(" "):
            yield block
            block = ""
        block += line
    yield block

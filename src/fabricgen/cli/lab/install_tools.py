"""Implements `fabricgen lab install-tools`, which unpacks the programs that a lab needs."""

from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import frr_option, one_line
from fabricgen.cli.plain import say


@define_verb("install-tools", examples=("lab install-tools", "lab install-tools --frr 10.3"))
@frr_option
@one_line
def command(frr: str | None) -> int:
    """Download required programs.

    The verb unpacks missing Debian packages into a separate folder. It installs no package.
    """
    from fabricgen.operate.lab.kernel import NEWER, PACKAGE, needs_newer_kernel, unpack_kernel
    from fabricgen.operate.lab.machine.machine import choose
    from fabricgen.operate.lab.suites import unpack_frr
    from fabricgen.operate.lab.tools import Tools, missing_packages, unpack

    tools = Tools.here()
    if frr:
        say(f"unpacking FRR {frr} into {tools.home_of(frr)}", err=True)
        say(f"{len(unpack_frr(tools, frr))} packages unpacked, none installed")
        return 0
    uml = choose().way == "uml"
    missing, unpacked = missing_packages(tools, uml=uml, fresh=True), list[str]()
    newer = uml and needs_newer_kernel(tools)
    missing = [each for each in missing if not newer or each != PACKAGE]
    if not missing and not newer:
        say("all required programs are available")
        return 0
    if missing:
        say(f"unpacking {', '.join(missing)} into {tools.folder}", err=True)
        unpacked += unpack(tools, missing)
    if newer:
        say(f"unpacking {NEWER.what} into {tools.folder}: this CPU has AMX", err=True)
        unpacked += unpack_kernel(tools)
    say(f"{len(unpacked)} packages unpacked, none installed")
    return 0

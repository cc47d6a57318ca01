"""Compare the packet memory of the switches of each tier with the minimum in the intent."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Switch

_MEGABYTE = 1_000_000


def judge_depth(words: FabricWords, fabric: Fabric, findings: Findings) -> None:
    """Report each model with less memory for a port than the minimum, or with unknown memory."""
    depth = words.unless_refused("buffer_per_port")
    for role in Role if depth is not None else ():
        wanted, path = depth.unless_refused(role.value), words.at("buffer_per_port", role.value)
        if wanted is None:
            continue
        switches = {each.model.name: each for each in fabric.topology.switches if each.role is role}
        if not switches:
            told = f"the {fabric.name} has no {role}s"
            findings.error(Code.UNKNOWN_REFERENCE, told, path, "remove this key")
        for switch in switches.values():
            _judge(switch, wanted, path, findings)


def _judge(switch: Switch, wanted: float, path: IntentPath, findings: Findings) -> None:
    """Compare one switch: the memory of its chip, shared by all ports that may have a cable.

    The memory of a model with several chips is that of one, so the result is a lower bound.
    """
    chip, model, ports = switch.model.chip, switch.model.name, switch.laid_out
    hint = "use a model with deeper buffers, or lower the minimum"
    if chip is None or chip.packet_buffer is None:
        told = (
            f"the packet memory of {model} is not known, so {wanted:g} MB per port are not proven"
        )
        findings.error(
            Code.BUFFER_TOO_SHALLOW, told, path, "add its ASIC with a source, or " + hint
        )
        return
    each = chip.packet_buffer / ports / _MEGABYTE
    if each < wanted:
        memory = f"{chip.packet_buffer / _MEGABYTE:,.0f} MB of {model} for {ports} ports"
        told = f"{memory} are {each:.3g} MB per port, but the minimum is {wanted:g} MB"
        findings.error(Code.BUFFER_TOO_SHALLOW, told, path, hint)

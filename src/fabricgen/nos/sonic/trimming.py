"""Lower packet trimming to SWITCH_TRIMMING, and refuse switches that cannot trim as designed."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath
from fabricgen.core.record import record
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.buffers import DYNAMIC_PROFILES, TRIMMED, lossy_profile
from fabricgen.nos.sonic.view import Entry, Field, Tables

_RETRY = "remove `roce.trimming`, or use another model"


@record(kw_only=True)
class Trimmer:
    """Trimming of a chip: the possible sizes in bytes, and the queues of trimmed packets."""

    sizes: range
    queues: range


# sonic-mgmt docs/testplan/Packet_Trimming_Testplan.md: 256 bytes at least, and any queue;
# tests/packet_trimming/constants.py: TRIM_SIZE_MAX 4084. Its pull 26052: every Spectrum-5. On
# Spectrum-4 sai.profile of the hwsku must name a recirculation port (sonic-buildimage pull 22275),
# and the one stored for a hwsku of the catalog, Mellanox-SN5600-O128, does not.
_BY_ASIC = {"Spectrum-5": Trimmer(sizes=range(256, 4085), queues=range(8))}
# sonic-mgmt pull 19714: the hwskus of the 7060X6 that trim. Pull 20505: its SAI refuses other sizes
# than 206 bytes. sai_pkt_trim_queue_index of its .bcm file is 4 (sonic-buildimage pull 24199).
_TOMAHAWK5 = Trimmer(sizes=range(206, 207), queues=range(4, 5))
_BY_HWSKU = {
    "Arista-7060X6-64PE-B-C448O16": _TOMAHAWK5,
    "Arista-7060X6-64PE-B-C512S2": _TOMAHAWK5,
}


def with_trimming(memory: Tables, sku: Sku, design: Qos) -> Tables:
    """Return the packet memory with the settings of trimming; unchanged without it.

    orchagent refuses a profile that trims at ingress or in the list of a port (sonic-swss
    orchagent/bufferorch.cpp), so the trimmed queues have their own copy of the usual profile.
    """
    into = design.trimmed
    size = next((item.cut for item in design.classes if item.cut is not None), None)
    usual = (DYNAMIC_PROFILES if sku.dynamic else sku.profiles).get(lossy_profile(sku))
    if into is None or size is None or usual is None or design.lossless:
        return memory
    why = design.because
    fields: dict[str, Field] = {
        "size": str(int(size)),
        "dscp_value": str(into.dscps[0]),
        "queue_index": str(into.number),
    }
    own = {name: str(value) for name, value in usual.items()}
    profile = Entry(why, {**own, "packet_discard_action": "trim"})
    return {
        **memory,
        "BUFFER_PROFILE": {**memory["BUFFER_PROFILE"], TRIMMED: profile},
        "SWITCH_TRIMMING": {"GLOBAL": Entry(why, fields)},
    }


def trimming_gaps(switch_slice: SwitchSlice, sku: Sku) -> Iterator[Diagnostic]:
    """Report a chip that cannot trim, or not to this size and queue, and packets in a tunnel."""
    design = switch_slice.qos
    into = design.trimmed if design is not None else None
    if design is None or into is None:
        return
    path = (*design.because.main, "trimming")
    model = switch_slice.switch.model
    here = f"SONiC on {model}"
    trimmer = _BY_HWSKU.get(sku.name) or _BY_ASIC.get(model.asic)
    if trimmer is None:
        yield _gap(
            f"{here}: no source shows that hwsku {sku.name} ({model.asic}) trims packets",
            path,
            f"{_RETRY}: {', '.join((*_BY_ASIC, *_BY_HWSKU))}",
        )
        return
    size = next((int(item.cut) for item in design.classes if item.cut is not None), 0)
    if size not in trimmer.sizes:
        least, most = trimmer.sizes[0], trimmer.sizes[-1]
        told = f"{least} to {most}" if least != most else f"exactly {least}"
        text = f"{here} trims packets to {told} bytes, not to {size}"
        yield _gap(text, (*path, "size"), f"set `size: {least}`")
    if into.number not in trimmer.queues:
        only = trimmer.queues[0]
        text = f"{here} sends trimmed packets in queue {only}, not in {into.number}"
        yield _gap(text, (*path, "priority"), f"set `priority: {only}`")
    if switch_slice.vtep is not None:
        text = f"{here} trims no packet in a tunnel, but this switch has VXLAN tunnels"
        yield _gap(text, path, "remove `roce.trimming`, or make the tenants' VRFs `local`")


def _gap(message: str, path: IntentPath, hint: str) -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)

"""tc.batch and interfaces in; what one port marks with ECN out, with the line that says so.

Headroom and pools of an ASIC are not told apart from the thresholds that the kernel's driver
computes, so nothing is claimed of them.
"""

from collections.abc import Mapping

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.model.fabric.told import PortTold, Told
from fabricgen.nos.linux.readback.queues import BATCH, INTERFACES, read

INSTEAD = "the kernel and its driver keep their own"


def told(
    model: SwitchModel | None, files: Mapping[str, str], port: str, item: TrafficClass
) -> PortTold:
    """Read one port of one switch."""
    state = read(model, files).ports.get(port)
    queue = state.queue(state.classes[item.dscps[0]]) if state else None
    if state is None or queue is None or queue not in state.marks:
        return PortTold(instead=INSTEAD)
    marks = state.marks[queue]
    band = f" dev {port} parent 1:{queue + 1} "
    batch = files.get(BATCH, "").splitlines()
    lines = tuple(f"{BATCH}: {text}" for text in batch if band in text and " red " in text)
    mtu = None if state.mtu is None else Told(state.mtu, (f"{INTERFACES}: {port}",))
    return PortTold(
        instead=INSTEAD,
        mtu=mtu,
        minimum=Told(marks.minimum, lines),
        maximum=Told(marks.maximum, lines),
        percent=Told(round(marks.percent), lines),
    )

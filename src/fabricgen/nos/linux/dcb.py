"""Lower traffic classes and cable lengths to the DCB settings of an ASIC's ports."""

from functools import lru_cache

from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import port_name
from fabricgen.nos.linux.view_queues import Dcb

# Bytes per byte of MTU that mlxsw reserves for lossy traffic: two frames (spectrum_buffers.c
# mlxsw_sp_hdroom_buf_threshold_get), twice that on a port of eight lanes.
LOSSY_FRAMES = 4


def driver(model: SwitchModel) -> str | None:
    """Return the kernel driver of a switch model's ASIC, if the catalog names one."""
    name = model.platforms.get("linux", {}).get("driver")
    return str(name) if name is not None else None


def headroom(switch_slice: SwitchSlice, speed: BitsPerSecond, length: Meters) -> int | None:
    """Return the bytes of a lossless port buffer: headroom, and the fill level at pause.

    The memory below the pause threshold follows SONiC's formula, a fact of the ASIC and not of the
    OS.
    """
    planned = switch_slice.buffers.port(speed, length) if switch_slice.buffers else None
    return None if planned is None else int(planned.headroom + planned.below)


def lossless_ports(switch_slice: SwitchSlice) -> tuple[tuple[str, int | None], ...]:
    """Return each port with DCB and the bytes of its lossless buffer, None if unknown.

    Ports to external routers are excluded: their pauses would stop a class of the site.
    """
    apart = (
        {Use.UNUSED, Use.EXTERNAL}
        if switch_slice.qos and switch_slice.qos.lossless
        else {Use.UNUSED}
    )
    used = [item for item in switch_slice.interfaces if item.use not in apart]
    kinds = {(item.port.speed, item.length) for item in used}
    sizes = {kind: headroom(switch_slice, *kind) for kind in kinds}
    return tuple((port_name(item.port), sizes[item.port.speed, item.length]) for item in used)


def dcb(switch_slice: SwitchSlice) -> Dcb | None:
    """Return the DCB settings. Without a driver only a lossless class needs them."""
    qos = switch_slice.qos
    if qos is None or (driver(switch_slice.switch.model) is None and not qos.lossless):
        return None
    ports = tuple((name, size or 0) for name, size in lossless_ports(switch_slice))
    return _dcb(qos, ports, switch_slice.routing.mtu)


@lru_cache(maxsize=64)
def _dcb(qos: Qos, ports: tuple[tuple[str, int], ...], mtu: int) -> Dcb:
    paused = qos.paused
    codes = sorted((dscp, item.number) for item in qos.classes for dscp in item.dscps)
    return Dcb(
        dscp_priorities=" ".join(f"{dscp}:{number}" for dscp, number in codes),
        default_priority=qos.best_effort.number,
        pauses=" ".join(["all:off", *(f"{number}:on" for number in paused)]),
        groups=" ".join(["all:0", *(f"{number}:{number}" for number in paused)])
        if paused
        else None,
        sizes=" ".join([f"all:0 0:{LOSSY_FRAMES * mtu}", *(f'{number}:"$2"' for number in paused)]),
        ports=ports,
        because=qos.because,
    )

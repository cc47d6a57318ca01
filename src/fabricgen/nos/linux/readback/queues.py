"""Read from tc.batch, dcb.sh and interfaces how plain Linux queues and marks at each port.

On an ASIC the port's DSCP table gives a packet its priority (dcb.sh) and the priority gives its
band (tc ets). Packets from the kernel itself pass filters, which must select the same band. Without
a driver there are only the filters.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.model.fabric.port_qos import (
    DSCPS,
    IDENTITY,
    PRIORITIES,
    UNKNOWN,
    Lack,
    PortQos,
    QosState,
    unreadable,
)
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.nos.linux.readback.dcb import Dcb, read_dcb
from fabricgen.nos.linux.readback.tc import Program, read_program

INTERFACES = "etc/network/interfaces"
BATCH = "etc/fabricgen/tc.batch"
DCB = "etc/fabricgen/dcb.sh"
DEFAULT_MTU = 1500  # ETH_DATA_LEN, linux net/ethernet/eth.c ether_setup()
# Bytes per byte of MTU for lossy traffic: two frames, doubled on ports of eight lanes
# (mlxsw spectrum_buffers.c mlxsw_sp_hdroom_buf_threshold_get).
LOSSY_FRAMES = 4

_OF_ONE_SWITCH = re.compile(r"\n +(?:alias|address) [^\n]*")
_DEVICE = re.compile(r"(.*?) dev (\S+)(.*)")


def read(model: SwitchModel | None, files: Mapping[str, str]) -> QosState:
    text, batch = files.get(INTERFACES), files.get(BATCH)
    if text is None:
        return unreadable(f"has no {INTERFACES}")
    if batch is None:
        return unreadable(f"has no {BATCH}")
    lean = _OF_ONE_SWITCH.sub("", text[text.find("\nauto swp") :])
    return _parsed(model, lean, batch, files.get(DCB))


@lru_cache(maxsize=16)
def _parsed(model: SwitchModel | None, interfaces: str, batch: str, dcb: str | None) -> QosState:
    driver = bool(model and model.platforms.get("linux", {}).get("driver"))
    told = read_dcb(dcb) if dcb is not None else None
    faults = list(told.faults) if told else []
    lines: dict[str, list[str]] = {}
    for line in batch.splitlines():
        match = _DEVICE.fullmatch(line)
        if match is None:
            faults.append(f"tc.batch has a line without a device: {line}")
        else:
            lines.setdefault(match[2], []).append(match[1] + match[3])
    stanzas = dict(_stanzas(interfaces))
    for where, names in (("tc.batch", lines), ("dcb.sh", told.ports if told else {})):
        odd = sorted(set(names) - stanzas.keys())
        faults += [f"{where} names {name}, which is not in interfaces" for name in odd]
    alike: dict[tuple[object, ...], PortQos] = {}
    ports = {}
    largest = max((mtu for mtu, _ in stanzas.values()), default=DEFAULT_MTU)
    for name, stanza in stanzas.items():
        key = stanza, tuple(lines.get(name, ())), told.ports.get(name) if told else None
        if key not in alike:
            alike[key] = _port(*key, told, largest)
        ports[name] = alike[key]
    lacks = {Lack.WATCHDOG, Lack.TRIMMING, *(() if driver else (Lack.HEADROOM,))}
    return QosState(ports, tuple(faults), frozenset(lacks))


Stanza = tuple[int, bool]
"""MTU, and whether the port is up."""


def _stanzas(text: str) -> Iterator[tuple[str, Stanza]]:
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        name = next((line[6:] for line in lines if line.startswith("iface ")), "")
        if name.startswith("swp"):
            mtu = next((line[4:] for line in lines if line.startswith("mtu ")), "")
            up = f"auto {name}" in lines and "link-down yes" not in lines
            yield name, (int(mtu) if mtu.isdecimal() else DEFAULT_MTU, up)


def _port(
    stanza: Stanza, lines: tuple[str, ...], size: int | None, dcb: Dcb | None, largest: int
) -> PortQos:
    """Read one port. `largest`: the switch's largest MTU, for which all its ports keep buffer."""
    mtu, up = stanza
    program = read_program(lines)
    faults = list(program.faults)
    listed = dcb is not None and size is not None
    classes, queues = _classified(program, dcb if listed else None, faults)
    paused = dcb.paused if dcb and listed else frozenset[int]()
    groups, headroom = IDENTITY, dict[int, int | None]()
    if dcb and listed:
        groups = dcb.groups if size else (0,) * len(PRIORITIES)
        headroom = {b: size if n is None else n for b, n in dcb.sizes.items() if b and size}
        if paused and dcb.sizes.get(0) != LOSSY_FRAMES * largest:
            faults.append(f"buffer 0 has {dcb.sizes.get(0)} bytes, not {LOSSY_FRAMES} of {largest}")
    return PortQos(
        up=up,
        mtu=mtu,
        trust="dscp" if listed or program.filtered else None,
        classes=classes,
        queues=queues,
        groups=groups,
        paused=paused,
        stops=queues if paused else UNKNOWN,
        fills=groups,
        headroom=headroom,
        alpha={},
        serving=program.serving(),
        marks=program.marks,
        keeps=None,
        watch=None,
        watched=frozenset(),
        sends=program.rate,
        default=dcb.default if dcb and listed else None,
        numbered=listed,
        sized=True,
        faults=tuple(faults),
    )


def _classified(
    program: Program, dcb: Dcb | None, faults: list[str]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Return class by DSCP and queue by class; filters and the port's table must agree."""
    bands = program.bands(faults)
    if dcb is None:
        return bands, IDENTITY
    queues = list(UNKNOWN)
    queues[: len(program.priorities)] = program.priorities[: len(PRIORITIES)]
    if not program.priorities:  # no ASIC: the filters alone assign classes
        for dscp in DSCPS:
            number = dcb.classes[dscp]
            if number is not None and queues[number] is None:
                queues[number] = bands[dscp]
    for dscp in DSCPS:
        number = dcb.classes[dscp]
        table = queues[number] if number is not None else None
        if table != bands[dscp]:
            faults.append(f"DSCP {dscp} has band {table} by the port, {bands[dscp]} by the filters")
    rest = program.default
    for priority, band in enumerate(program.priorities):
        if priority not in PRIORITIES and band != rest:
            faults.append(f"packet priority {priority} has band {band}, not {rest} like the rest")
    if program.priorities and dcb.default is not None and queues[dcb.default % 8] != rest:
        faults.append(f"packets without DSCP have band {queues[dcb.default]}, not {rest}")
    return dcb.classes, tuple(queues)


# Headroom and pools of an ASIC follow from thresholds that the kernel's driver computes, so they
# are not compared.

INSTEAD = "the kernel and its driver use their defaults"


def told(
    model: SwitchModel | None, files: Mapping[str, str], port: str, item: TrafficClass
) -> PortTold:
    state = read(model, files).ports.get(port)
    queue = state.queue(state.classes[item.dscps[0]]) if state else None
    if state is None or queue is None or queue not in state.marks:
        return PortTold(instead=INSTEAD)
    marks = state.marks[queue]
    band = f" dev {port} parent 1:{queue + 1} "
    batch = files.get(BATCH, "").splitlines()
    lines = tuple(f"{BATCH}: {text}" for text in batch if band in text and " red " in text)
    mtu = None if state.mtu is None else MemoryValue(state.mtu, (f"{INTERFACES}: {port}",))
    return PortTold(
        instead=INSTEAD,
        mtu=mtu,
        minimum=MemoryValue(marks.minimum, lines),
        maximum=MemoryValue(marks.maximum, lines),
        percent=MemoryValue(round(marks.percent), lines),
    )

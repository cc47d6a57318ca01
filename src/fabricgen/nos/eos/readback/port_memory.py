"""Read the memory, marking and pause of one port from eos.cfg, each with its lines.

The shared memory of lossless groups, and so the point where pause begins, is not reported. No
document gives the memory that EOS reserves for itself. The watchdog is not reported either: the
manual, as quoted, says that it watches only queues with guaranteed bandwidth, and the file has
none.
"""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.model.fabric.port_qos import PortQos
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.nos.eos.readback.memory import read_mmu
from fabricgen.nos.eos.readback.queues import FILE, Block, blocks, read, vlans

INSTEAD = "EOS default"


def told(
    model: SwitchModel | None, files: Mapping[str, str], port: str, item: TrafficClass
) -> PortTold:
    qos = read(model, files).ports.get(port)
    if qos is None:
        return PortTold(instead=INSTEAD)
    parsed = list(blocks(files[FILE]))
    own = next((below for top, below in parsed if top == f"interface {port}"), ())
    name = next((line.split()[1] for line in own if line.startswith("   service-profile ")), "")
    profile = [block for block in parsed if block[0] == f"qos profile {name}"]
    queue = qos.queue(qos.classes[item.dscps[0]])
    marks = qos.marks.get(queue) if queue is not None else None
    marked = _lines(profile, "random-detect ecn ", f"tx-queue {queue}")
    held = qos.headroom.get(item.paused) if item.paused is not None else None
    memory = tuple(_memory(parsed))
    return PortTold(
        instead=INSTEAD,
        confidence=_confidence(model, memory),
        mtu=_mtu(parsed, port, own, qos.mtu),
        pause=_pause(qos, profile, item.paused),
        headroom=None if held is None else MemoryValue(held, memory),
        pool=_pool(model, parsed),
        alpha=_alpha(qos, item.paused, memory),
        minimum=MemoryValue(marks.minimum, marked) if marks else None,
        maximum=MemoryValue(marks.maximum, marked) if marks else None,
        percent=MemoryValue(round(marks.percent), marked) if marks else None,
    )


def _mtu(
    parsed: list[Block], port: str, own: tuple[str, ...], mtu: int | None
) -> MemoryValue | None:
    """Return the MTU lines of a port: its own if routed, else of its VLANs' gateways."""
    if mtu is None:
        return None
    tops = {f"interface {name}" for name in (port, *(f"Vlan{vlan}" for vlan in vlans(own)))}
    line = f"   mtu {mtu}"
    return MemoryValue(
        mtu, tuple(f"{FILE}: {t} > mtu {mtu}" for t, b in parsed if t in tops and line in b)
    )


def _confidence(model: SwitchModel | None, memory: tuple[str, ...]) -> tuple[str, ...]:
    """Return the confidence that the model supports the present lines."""
    known = model.platforms.get("eos", {}).get("memory", {}) if model is not None else {}
    words = {"profile": "threshold and headroom", "pool": "the headroom pool"}
    return tuple(
        f"{words[word]}: {row['confidence']} ({row['source']})"
        for word, row in known.items()
        if memory
    )


def _pause(qos: PortQos, profile: list[Block], priority: int | None) -> MemoryValue | None:
    if priority is None or priority not in qos.paused:
        return None
    return MemoryValue(
        priority, _lines(profile, f"priority-flow-control priority {priority} no-drop")
    )


def _alpha(qos: PortQos, priority: int | None, memory: tuple[str, ...]) -> MemoryValue | None:
    alpha = qos.alpha.get(priority) if priority is not None else None
    return None if alpha is None else MemoryValue(alpha, memory)


def _pool(model: SwitchModel | None, parsed: list[Block]) -> MemoryValue | None:
    chip = model.chip if model is not None else None
    pool = read_mmu(block for block in parsed if block[0].startswith("platform ")).pool
    if pool is None or chip is None or chip.cell is None:
        return None
    lines = tuple(line for line in _memory(parsed) if "headroom-pool" in line)
    return MemoryValue(pool * int(chip.cell), lines)


def _memory(parsed: Iterable[Block]) -> Iterator[str]:
    """Yield the lines that size headroom, which are valid only together."""
    for top, below in parsed:
        if top.startswith("platform trident mmu "):
            if not below:
                yield f"{FILE}: {top}"
            for line in below:
                yield f"{FILE}: {top} > {line.strip()}"


def _lines(profile: Iterable[Block], start: str, queue: str = "") -> tuple[str, ...]:
    """Return the lines of a profile with this start, optionally below a queue."""
    lines, inside = list[str](), ""
    for top, below in profile:
        for text in (line.strip() for line in below):
            if "tx-queue " in text:
                inside = text
            elif text.startswith(start) and inside.endswith(queue):
                lines.append(" > ".join(filter(None, (f"{FILE}: {top}", inside, text))))
    return tuple(lines)

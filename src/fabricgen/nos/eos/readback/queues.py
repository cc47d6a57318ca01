"""Read from eos.cfg how EOS queues, pauses and marks at each port.

The effect of a missing line is a fact with a source, or unknown. Lines that only name a switch, a
neighbor or an address are removed first. The rest is the same text on switches with the same
wiring, so it is parsed once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.port_qos import (
    DSCPS,
    IDENTITY,
    PRIORITIES,
    Lack,
    PortQos,
    QosState,
    Watch,
    unreadable,
)
from fabricgen.nos.eos.readback.memory import Mmu, read_mmu
from fabricgen.nos.eos.readback.profiles import Profile, read_profile

FILE = "eos.cfg"
# 0-7 to 1, 8-15 to 0, 16-23 to 2 and so on: default DSCP map of the EOS 4.36 manual, quoted
# second-hand. Every row differs from fabricgen's classes of best effort.
DEFAULT_CLASSES: tuple[int | None, ...] = tuple({0: 1, 1: 0}.get(d // 8, d // 8) for d in DSCPS)
# Traffic class 7 and queue 7 belong together and accept no mapping (the same manual). Other classes
# have a default queue too, which differs by chip and is quoted nowhere: a missing line is unknown.
FIXED = 7
DEFAULT_MTU = 1500  # of a routed port (EOS manual)

_OF_ONE_SWITCH = re.compile(r"\n +(?:description|ip address|ipv6 address|neighbor) [^\n]*")
_BANNER = re.compile(r"\n!\nbanner [a-z]+\n.*?\nEOF(?=\n)", re.DOTALL)
_ABOUT = ("interface ", "qos ", "priority-flow-control ", "platform ", "policy-map ", "class-map ")
_INSIDE = tuple(f"\n{word}" for word in _ABOUT[1:])
_QOS_WORD = re.compile(
    r"(?:no |default )?(?:qos|priority-flow-control|flowcontrol|service-policy|shape|dcbx|"
    r"random-detect|(?:uc-|mc-)?tx-queue|traffic-class)\b"
)
_NO_TRUST = "no qos trust"  # of ports towards devices outside the site
# Lines that only count, and lines that the grammar compares with the design.
_ALONE = re.compile(
    r"random-detect ecn count|(?:uc-)?tx-queue \d|shape rate \d+ kbps|dcbx mode ieee"
)
_MAP = re.compile(r"qos map dscp ([\d ]+) to traffic-class (\d)")
_QUEUE = re.compile(r"qos map traffic-class (\d) to tx-queue (\d)")
_COS = re.compile(r"qos map cos ([0-7 ]+) to traffic-class (\d)")
_TIMER = re.compile(
    r"priority-flow-control pause watchdog default (timeout|recovery-time|polling-interval) "
    r"(\d+\.\d+)"
)
_POLICY = re.compile(r"service-policy type qos input (\S+)")
_POLICY_MAP = "policy-map type quality-of-service "
_BUNDLE = "channel-group "
_SPEED = re.compile(r"(\d+(?:\.\d)?)([gt])(?:-\d)?")
_SCALE = {"g": 10**9, "t": 10**12}
_ACTION = re.compile(r"priority-flow-control pause watchdog action (\S+)")

Block = tuple[str, tuple[str, ...]]
"""A line at the margin, and the indented ones below it."""


def read(model: SwitchModel | None, files: Mapping[str, str]) -> QosState:
    text = files.get(FILE)
    if text is None:
        return unreadable(f"has no {FILE}")
    if "\nbanner " in text:
        text = _BANNER.sub("", text)
    blocks = _OF_ONE_SWITCH.sub("", text).split("\n!\n")
    return _parsed(model, "\n!\n".join(filter(_about, blocks)))


def _about(block: str) -> bool:
    return block.startswith(_ABOUT) or any(word in block for word in _INSIDE)


@lru_cache(maxsize=32)
def _parsed(model: SwitchModel | None, text: str) -> QosState:
    written = "uc-tx-queue" if "\n   uc-tx-queue " in text else "tx-queue"
    facts = model.platforms.get("eos", {}) if model else {"queue_block": written}
    chip = model.chip if model else None
    cell = int(chip.cell) if chip is not None and chip.cell is not None else None
    return _Reader(str(facts.get("queue_block", "tx-queue")), cell).state(list(blocks(text)))


def blocks(text: str) -> Iterator[Block]:
    """Yield each unindented line with the indented ones below it."""
    top, below = "", list[str]()
    for line in text.splitlines():
        if line.startswith(" "):
            below.append(line)
        elif line and line != "!":
            if top:
                yield top, tuple(below)
            top, below = line, []
    if top:
        yield top, tuple(below)


class _Reader:
    def __init__(self, queue_word: str, cell: int | None) -> None:
        self.queue_word, self.cell = queue_word, cell
        self.mmu = Mmu()
        self.profiles: dict[str, Profile] = {}
        self.policies: dict[str, tuple[str, ...]] = {}
        self.bundles: dict[str, tuple[str, ...]] = {}
        self.classes = list(DEFAULT_CLASSES)
        self.implied = set(DSCPS)
        self.queues: list[int | None] = [None] * FIXED + [FIXED]
        self.timers: dict[str, float] = {}
        self.action: str | None = None
        self.faults: list[str] = []
        self.known: dict[tuple[object, ...], PortQos] = {}

    def state(self, blocks: list[Block]) -> QosState:
        interfaces = [block for block in blocks if block[0].startswith("interface ")]
        self.mmu = read_mmu(block for block in blocks if block[0].startswith("platform "))
        self.faults += self.mmu.faults
        for top, below in blocks:
            if not top.startswith("interface "):
                self.top(top, below)
        start = "interface Port-Channel"
        self.bundles = {t.removeprefix(start): b for t, b in interfaces if t.startswith(start)}
        gateways = {
            top: _mtu(below) for top, below in interfaces if top.startswith("interface Vlan")
        }
        ports = {
            top.removeprefix("interface "): self.port(below, gateways)
            for top, below in interfaces
            if top.startswith("interface Ethernet")
        }
        return QosState(ports, tuple(self.faults), frozenset({Lack.TRIMMING}))

    def top(self, line: str, below: tuple[str, ...]) -> None:
        if line.startswith("qos profile "):
            self.profiles[line.removeprefix("qos profile ")] = read_profile(below, self.queue_word)
        elif line.startswith(_POLICY_MAP):
            self.policies[line.removeprefix(_POLICY_MAP)] = tuple(map(str.strip, below))
        elif match := _MAP.fullmatch(line):
            for dscp in map(int, match[1].split()):
                if dscp in DSCPS:
                    self.classes[dscp] = int(match[2])
                    self.implied.discard(dscp)
                else:
                    self.faults.append(f"invalid DSCP {dscp}: {line}")
        elif match := _QUEUE.fullmatch(line):
            self.queues[int(match[1])] = int(match[2])
        elif match := _TIMER.fullmatch(line):
            self.timers[match[1]] = 1000 * float(match[2])
        elif match := _ACTION.fullmatch(line):
            self.action = match[1]
        elif not _COS.fullmatch(line) and line.startswith(("qos ", "priority-flow-control ")):
            self.faults.append(f"EOS line of unknown meaning: {line}")

    def port(self, below: tuple[str, ...], gateways: Mapping[str, int | None]) -> PortQos:
        """Read one interface. A LAG member also has the lines of its LAG."""
        lines = [line.strip() for line in below]
        lines += map(str.strip, self.bundles.get((_rest(lines, _BUNDLE) or "").split(" ")[0], ()))
        name = _rest(lines, "service-profile ")
        mtu: int | None = _mtu(lines) or DEFAULT_MTU  # a member has the MTU of its LAG
        if "switchport" in lines:  # a bridged port accepts every frame; its gateways' MTU decides
            behind = (f"interface Vlan{vlan}" for vlan in vlans(lines))
            mtu = min(
                (gateways[top] or DEFAULT_MTU for top in behind if top in gateways), default=None
            )
        rate = _rate(_rest(lines, "speed "))
        about = tuple(line for line in lines if _QOS_WORD.match(line))
        key = (name, mtu, rate, "shutdown" in lines, about)
        if key not in self.known:
            self.known[key] = self.port_qos(name, mtu, rate, about, up="shutdown" not in lines)
        return self.known[key]

    def port_qos(
        self,
        name: str | None,
        mtu: int | None,
        rate: int | None,
        about: tuple[str, ...],
        *,
        up: bool,
    ) -> PortQos:
        odd = [line for line in about if line != _NO_TRUST and not _ALONE.fullmatch(line)]
        faults = [
            f"EOS line of unknown meaning: {line}" for line in odd if not _POLICY.fullmatch(line)
        ]
        marked = (match[1] for line in about if (match := _POLICY.fullmatch(line)))
        faults += (f"the policy {name} does not only mark" for name in marked if self.odd(name))
        profile = self.profiles.get(name or "")
        if profile is None:
            profile = Profile()
            if name is not None:
                faults.append(f"the QoS profile {name} is not in the file")
        paused = frozenset(profile.no_drop) if profile.pfc else frozenset[int]()
        return PortQos(
            up=up,
            mtu=mtu,
            trust="none" if _NO_TRUST in about else profile.trust,
            classes=tuple(self.classes),
            queues=tuple(self.queues),
            # the priority of a pause is the traffic class (EOS manual)
            groups=tuple(number if number in paused else 0 for number in PRIORITIES),
            paused=paused,
            stops=tuple(self.queues),
            fills=IDENTITY,
            headroom=dict.fromkeys(paused, self.headroom(len(paused))),
            alpha=dict.fromkeys(paused, self.mmu.alpha) if self.mmu.alpha is not None else {},
            serving=profile.served(),
            marks=profile.marks,
            keeps=None,
            watch=self.watch() if profile.watchdog else None,
            watched=paused if profile.watchdog else frozenset(),
            rate=rate,
            implied=frozenset(self.implied),
            faults=(*faults, *profile.faults),
        )

    def odd(self, policy: str) -> bool:
        """Return whether a policy does more than set one DSCP for all packets, and its class."""
        match self.policies.get(policy):
            case ("class class-default", dscp, number):
                code = dscp.removeprefix("set dscp ")
                meant = self.classes[int(code)] if code.isdecimal() and int(code) in DSCPS else None
                return number != f"set traffic-class {meant}"
        return True

    def headroom(self, groups: int) -> int | None:
        """Return the bytes of one lossless group of a port; None for EOS's default."""
        if self.mmu.headroom is None or self.mmu.pool is None or self.cell is None or not groups:
            return None
        return self.mmu.headroom // groups * self.cell

    def watch(self) -> Watch:
        timer = self.timers.get
        return Watch(
            timer("polling-interval"), timer("timeout"), timer("recovery-time"), self.action
        )


def _rest(lines: Iterable[str], prefix: str) -> str | None:
    return next((line.removeprefix(prefix) for line in lines if line.startswith(prefix)), None)


def vlans(below: Iterable[str]) -> list[int]:
    """Return the VLANs in the lines of a port; none for a routed one."""
    lines = [line.strip() for line in below]
    words = (_rest(lines, f"switchport {word} vlan ") for word in ("access", "trunk allowed"))
    parts = (part.split("-") for word in words if word for part in word.split(","))
    ends = [(part[0], part[-1]) for part in parts if part[0].isdecimal() and part[-1].isdecimal()]
    return [vlan for first, last in ends for vlan in range(int(first), int(last) + 1)]


def _rate(word: str | None) -> int | None:
    """Return the bit/s of a speed word: 400g-4, 25g, 1.6t-8."""
    match = _SPEED.fullmatch(word or "")
    return round(float(match[1]) * _SCALE[match[2]]) if match else None


def _mtu(below: Iterable[str]) -> int | None:
    mtu = _rest((line.strip() for line in below), "mtu ")
    return int(mtu) if mtu and mtu.isdecimal() else None

"""Design the traffic classes of a frontend and the mark of each attachment."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.classes import ClassEcn
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.qos import Roce
from fabricgen.intent.paths import at
from fabricgen.model.fabric.classes import Mark
from fabricgen.model.fabric.qos import Kind, Marking, TrafficClass
from fabricgen.model.fabric.topology import Topology
from fabricgen.model.fabric.vlans import Vlan

_TAKEN = {0: "best effort", 48: "routing protocols", 56: "routing protocols"}
"""Reserved DSCPs: 0 for unmarked packets, and CS6 and CS7 (RFC 4594 section 3.2)."""


def classes_of(frontend: Frontend, topology: Topology) -> tuple[TrafficClass, ...]:
    """Return the classes of tenants, in the order of their queues."""
    speeds = {port.speed for switch in topology.switches for port in switch.ports}
    said = frontend.unless_refused("classes") or {}
    made = (
        TrafficClass(
            kind=Kind.TENANTS,
            number=each.queue,
            dscps=tuple(sorted(each.dscps)),
            share=each.share,
            marking=_marking(each.ecn, speeds),
            name=name,
            because=Provenance(
                (at(*frontend.here, "classes", name),), f"tenants' class {name}: {each.share} %"
            ),
        )
        for name, each in said.items()
    )
    return tuple(sorted(made, key=lambda item: item.number))


def _marking(
    ecn: ClassEcn | None, speeds: Collection[BitsPerSecond]
) -> dict[BitsPerSecond, Marking] | None:
    """Return the same marking points for every port speed; None without ECN."""
    if ecn is None:
        return None
    points = Marking(Bytes(ecn.minimum), Bytes(ecn.maximum), ecn.probability)
    return dict.fromkeys(sorted(speeds), points)


def judge_tenant_classes(frontend: Frontend, findings: Findings) -> None:
    """Report classes that share a queue or a DSCP, and shares that leave best effort nothing."""
    said = frontend.unless_refused("classes") or {}
    roce = frontend.roce if frontend.roce is not None and frontend.roce.enabled else None
    queues = dict(_queues(roce)) if roce is not None else {}
    dscps = {**_TAKEN, **(dict(_dscps(roce)) if roce is not None else {})}
    here = (*frontend.here, "classes")
    for name, each in said.items():
        if each.queue in queues:
            findings.spoil(
                Code.CLASS_CLASH,
                f"queue {each.queue} is already used by {queues[each.queue]}",
                at(*here, name, "queue"),
                f"free queues: {_free(queues, frontend)}",
            )
        queues.setdefault(each.queue, f"the class {name}")
        for place, dscp in enumerate(each.dscps):
            if dscp in dscps:
                path = at(*here, name, "dscps", place)
                findings.spoil(
                    Code.CLASS_CLASH, f"DSCP {dscp} is already used by {dscps[dscp]}", path
                )
            dscps.setdefault(dscp, f"the class {name}")
    total = sum(each.share for each in said.values())
    left = 99 if roce is None else 98 - (roce.storage.share if roce.storage is not None else 0)
    if total > left:
        added = " + ".join(str(each.share) for each in said.values())
        findings.spoil(
            Code.CLASS_CLASH,
            f"the classes have {added} = {total} %, but only {left} % are available: other "
            "traffic keeps at least 1 %",
            at(*here),
        )


def _queues(roce: Roce) -> Iterator[tuple[int, str]]:
    yield roce.priority, "RoCE data"
    yield roce.cnp.priority, "CNPs"
    if roce.storage is not None:
        yield roce.storage.priority, "storage"


def _dscps(roce: Roce) -> Iterator[tuple[int, str]]:
    yield roce.dscp, "RoCE data"
    yield roce.cnp.dscp, "CNPs"
    if roce.storage is not None:
        yield roce.storage.dscp, "storage"


def _free(taken: dict[int, str], frontend: Frontend) -> str:
    used = {*taken, *(each.queue for each in frontend.classes.values())}
    return ", ".join(str(number) for number in range(1, 7) if number not in used) or "none"


@dataclass(slots=True, kw_only=True)
class Classes:
    """Class of the traffic of servers. vlans: by VLAN id, the class with its place."""

    frontend: Frontend
    findings: Findings
    vlans: dict[int, tuple[str, IntentPath]] = field(default_factory=dict)
    made: dict[tuple[str, IntentPath], Mark] = field(default_factory=dict)

    def vlan(self, vlan: words.Vlan, path: IntentPath, vrf: words.Vrf | None) -> None:
        """Record the class of a VLAN: its own, or the class of its VRF."""
        if vlan.qos is not None:
            self.vlans[vlan.id] = vlan.qos, (*path, "qos")
        elif vrf is not None and (name := vrf.unless_refused("qos")) is not None:
            self.vlans[vlan.id] = name, (*path[:-2], "qos")

    def marks(self, vlans: list[Vlan], item: words.Attachment, path: IntentPath) -> dict[int, Mark]:
        """Return the DSCP marking of each VLAN of a port; none if the port trusts its server."""
        own = (item.qos, (*path, "qos")) if item.qos is not None else None
        told = {vlan.id: own or self.vlans.get(vlan.id) for vlan in vlans}
        marks = ((vlan, self.mark(*(each or ("", path)))) for vlan, each in told.items())
        known = {vlan: mark for vlan, mark in marks if mark is not None}
        return {} if self.trusts(item, path) else known

    def port(
        self, item: words.Attachment, vrf: words.Vrf, path: IntentPath, above: IntentPath
    ) -> Mark | None:
        """Return the mark of a routed port: of the attachment, or of its VRF at `above`."""
        name, place = item.qos, (*path, "qos")
        if name is None:
            name, place = vrf.unless_refused("qos"), (*above, "qos")
        mark = self.mark(name or "", place)
        return None if self.trusts(item, path) else mark

    def trusts(self, item: words.Attachment, path: IntentPath) -> bool:
        """Return whether a port trusts the DSCP of its servers; irrelevant without classes."""
        if item.trust and not self.frontend.classes:
            self.findings.error(
                Code.BAD_VALUE,
                f"the {self.frontend.name} has no `classes`, so this key has no effect",
                (*path, "trust"),
                "remove it, or add classes",
            )
        return item.trust

    def mark(self, name: str, path: IntentPath) -> Mark | None:
        """Return the DSCP of a class; without a class, best effort if the fabric has classes."""
        said = self.frontend.unless_refused("classes") or {}
        if name and name not in said:
            self.findings.unknown(
                f"the {self.frontend.name} has no class {name!r}", path, name, said
            )
            return None
        key = (name, path if name else ())
        if said and key not in self.made:
            self.made[key] = self._made(*key)
        return self.made.get(key)

    def _made(self, name: str, path: IntentPath) -> Mark:
        here = at(*self.frontend.here, "classes")
        if not name:
            why = Provenance((here,), "no class is named, so traffic of servers is best effort")
            return Mark(dscp=0, number=0, because=why)
        told = self.frontend.classes[name]
        why = Provenance((at(*path), at(*here, name)), f"traffic of servers is in the class {name}")
        return Mark(dscp=told.dscps[0], number=told.queue, because=why)

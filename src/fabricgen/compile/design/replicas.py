"""Design the address of an application: the sites that advertise it, and the preferred one.

The servers of each replica advertise the address by BGP, and the links between the sites carry it.
Paths of a backup replica are longer, so its site uses the other one while that advertises.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from netaddr import IPAddress

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.transfers import joining
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.applications import Application
from fabricgen.intent.model.dci import Dci
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.ports import BackupBgp
from fabricgen.intent.model.tenants import Tenant, Vrf
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.applications import Application as Designed


def applications_of(intent: Intent) -> tuple[Designed, ...]:
    """Return the applications with an address, after their faults are reported."""
    every: dict[str, Application] = intent.unless_refused("applications") or {}
    return tuple(
        Designed(
            name=name,
            vrf=words.vrf,
            address=Ip(int(words.address), 32),
            sites=tuple(sorted(words.replicas, key=lambda each: words.replicas[each].backup)),
            path=at("applications", name),
        )
        for name, words in every.items()
        if words.whole and words.address is not None
    )


Home = Callable[[str, str], tuple[str, Vrf] | None]
"""Returns the tenant and the VRF of a fabric with a name."""


@dataclass(kw_only=True)
class Replicas:
    """Collects addresses and backups of applications.

    `addresses` has fabric and VRF as key. `backups` has tenant, VRF and name in `hosts`. `possible`
    has the applications without a fault.
    """

    fabrics: Mapping[str, Frontend]
    links: Mapping[str, Dci]
    home: Home
    findings: Findings
    addresses: dict[tuple[str, str], list[IPAddress]] = field(default_factory=dict)
    backups: set[tuple[str, str, str]] = field(default_factory=set)
    possible: dict[str, Application] = field(default_factory=dict)

    def add(self, intent: Intent) -> None:
        """Add every application with an address, or report why it has none."""
        every: dict[str, Application] = intent.unless_refused("applications") or {}
        taken: dict[tuple[str, IPAddress], str] = {}
        for name, words in every.items():
            with self.findings.going_on():
                if not words.whole or not self._placed(name, words):
                    continue
                address = words.address
                other = taken.setdefault((words.vrf, address), name) if address else name
                if other != name:
                    sentence = f"{other} already has {address} in VRF {words.vrf}"
                    path = at("applications", name, "address")
                    self.findings.error(Code.DUPLICATE_ID, sentence, path)
                elif address is None or self._safe(name, words):
                    self.possible[name] = words
                    self._take(words)

    def _placed(self, name: str, words: Application) -> bool:
        """Return whether every site has the VRF, and servers that may advertise the address."""
        before, here = len(self.findings.items), at("applications", name)
        for fabric, replica in words.replicas.items():
            path = (*here, "replicas", fabric)
            vrf = self._vrf(fabric, words.vrf, path, here)
            if vrf is None or replica.hosts is None or words.address is None:
                continue
            if replica.hosts not in vrf.hosts:
                self.findings.unknown(
                    f"VRF {words.vrf} of {fabric} has no {replica.hosts!r} in `hosts`",
                    (*path, "hosts"),
                    replica.hosts,
                    vrf.hosts,
                )
            elif not any(words.address in net for net in vrf.hosts[replica.hosts].accept):
                self.findings.error(
                    Code.BAD_VALUE,
                    f"servers of {replica.hosts} at {fabric} may not advertise {words.address}",
                    (*path, "hosts"),
                    f"add {words.address}/32 to its `accept`",
                )
        for place, fabric in enumerate(words.clients):
            self._vrf(fabric, words.vrf, (*here, "clients", place), here)
        return len(self.findings.items) == before

    def _vrf(self, fabric: str, vrf: str, path: IntentPath, here: IntentPath) -> Vrf | None:
        if fabric not in self.fabrics:
            message = f"no fabric of kind evpn is named {fabric!r}"
            self.findings.unknown(message, path, fabric, self.fabrics)
            return None
        home = self.home(fabric, vrf)
        if home is None:
            sentence = f"no tenant of {fabric} has a VRF {vrf}"
            self.findings.error(Code.UNKNOWN_REFERENCE, sentence, (*here, "vrf"))
        return home[1] if home is not None else None

    def _safe(self, name: str, words: Application) -> bool:
        """Return whether BGP moves the address between two replicas as stated; report why not."""
        if len(words.replicas) == 1:
            return True
        one, other = words.replicas
        fault = hint = ""
        third = self._third(words)
        if not joining(self.links, one, other, words.vrf):
            fault = f"no link of `dci` joins VRF {words.vrf} of {one} and {other}"
            hint = "add a link, or remove one replica"
        elif third:
            fault = (
                f"VRF {words.vrf} also joins {third}: a replica's site would pass on the address, "
                "and answers have no way back"
            )
            hint = "join that site by another VRF, or remove one replica"
        if fault:
            self.findings.error(Code.ADDRESS_STAYS, fault, at("applications", name), hint)
        return not fault

    def _third(self, words: Application) -> str:
        """Return a fabric without a replica that a link of the VRF joins to one with a replica."""
        joined = (
            fabric
            for link in self.links.values()
            if link.whole and words.vrf in link.vrfs and link.ends.keys() & words.replicas.keys()
            for fabric in link.ends
        )
        return next((each for each in joined if each not in words.replicas), "")

    def _take(self, words: Application) -> None:
        address = words.address
        for fabric, replica in words.replicas.items() if address is not None else ():
            assert address is not None
            self.addresses.setdefault((fabric, words.vrf), []).append(address)
            home = self.home(fabric, words.vrf)
            if replica.backup and home is not None:
                self.backups.add((home[0], words.vrf, str(replica.hosts)))

    def applied(self, tenants: Mapping[str, Tenant]) -> dict[str, Tenant]:
        """Return the tenants with longer paths from the servers of backup replicas."""
        made = dict(tenants)
        for tenant, name, hosts in sorted(self.backups):
            vrf = made[tenant].vrfs[name]
            backup = BackupBgp.model_construct(**vars(vrf.hosts[hosts]))
            changed = vrf.model_copy(update={"hosts": {**vrf.hosts, hosts: backup}})
            vrfs = {**made[tenant].vrfs, name: changed}
            made[tenant] = made[tenant].model_copy(update={"vrfs": vrfs})
        return made

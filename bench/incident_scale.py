"""CPU seconds and memory of the grouping: 512 switches with more than 5,000 findings.

usage: python -m bench.incident_scale [LEAFS]
The site is the one of the other benchmarks: LEAFS leafs in pods of 64. Eighty cables between them
are dead. Each has eight findings at its ends, and one route at each leaf of the pod. The findings
are made here from the model; no switch is read.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from bench import sites

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Role
from fabricgen.nos.lowering import spell
from fabricgen.nos.show import ENABLED, Observed
from fabricgen.prove.catalogue.model import Finding, Outcome, Severity
from fabricgen.prove.incidents.grouping import incidents
from fabricgen.prove.incidents.impact import Impacts
from fabricgen.prove.incidents.model import Seen
from fabricgen.prove.verifier import expectations

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Attributes, Facts, Key
    from fabricgen.model.fabric.topology import Link
    from fabricgen.prove.runs import Expected

CABLES = 80


class Network:
    """The expected state of all switches, and the answers with dead cables."""

    def __init__(self, expected: dict[str, Expected], links: list[Link]) -> None:
        """Set the expected state, and the cables between leafs and spines."""
        self.expected = expected
        self.below: dict[str, list[Link]] = defaultdict(list)
        for link in links:
            self.below[link.upper.name].append(link)
        self.facts: dict[str, Facts] = {name: dict(it.facts) for name, it in expected.items()}
        self.findings: dict[str, list[Finding]] = {name: [] for name in expected}

    def cut(self, link: Link) -> None:
        """Cut a cable between a leaf and a spine."""
        ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
        for owner, port in ends:
            name, at = owner.name, spell(owner, port)
            self._edit(name, ("interface", at), "link", ENABLED)
            self._edit(name, ("cable", at), "far", None)
            for key, used in self.expected[name].ports.items():
                if used == at:
                    self._edit(name, key, "state", "Active")
                    self._edit(name, ("bfd", *key[1:]), "state", "down")
        spine, leaf = link.upper.name, link.lower.name
        for below in self.below[spine]:
            self._reroute(below.lower.name, spell(below.lower, below.lower_port), leaf)

    def _reroute(self, name: str, port: str, leaf: str) -> None:
        """Take one port out of the first route of a leaf to another one."""
        expected = self.expected[name]
        for key, own in expected.facts.items():
            if key[0] == "route" and expected.role(key) == leaf:
                left = tuple(it for it in own.get("ports", ()) if it != port)
                self._edit(name, key, "ports", left)
                return

    def _edit(self, name: str, key: Key, attribute: str, value: object) -> None:
        own: Attributes = dict(self.facts[name].get(key, {}))
        if attribute not in own:
            return
        if value is None:
            del self.facts[name][key]
        else:
            own[attribute] = value  # type: ignore[assignment]
            self.facts[name][key] = own
        self.findings[name].append(
            Finding(
                switch=name,
                check="Any",
                outcome=Outcome.NOT_YET,
                severity=Severity.ERROR,
                sentence=f"{name}: {' '.join(key)} {attribute}",
                key=key,
                attribute=attribute,
                actual=str(value),
            )
        )


def main(arguments: list[str]) -> None:
    """Measure one size; print one line of JSON."""
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    leafs = int((arguments or ["480"])[0])
    site = compile_site(load_texts(sites.evpn(leafs, pods=True))).site
    assert site is not None
    (fabric,) = site.fabrics
    links = [it for it in fabric.topology.links if it.upper.role is Role.SPINE]
    switches = [it.name for it in fabric.topology.switches]
    network = Network(expectations(site, switches), links)
    for link in links[:: len(links) // CABLES][:CABLES]:
        network.cut(link)
    seen = {
        name: Seen(
            expected=each,
            observed=Observed(facts=network.facts[name]),
            findings=network.findings[name],
        )
        for name, each in network.expected.items()
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    analysis = Impacts(site)
    found = incidents(site, seen, {}, impacts=analysis)
    first = time.process_time() - begun
    begun = time.process_time()
    incidents(site, seen, {}, impacts=analysis)
    report = {
        "switches": len(seen),
        "findings": sum(map(len, network.findings.values())),
        "incidents": len(found),
        "kinds": sorted({each.cause.kind.value for each in found}),
        "grouping": round(time.process_time() - begun, 2),
        "with the failure analysis": round(first, 2),
        "more memory, MiB": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])

"""From rendered files with one QoS value, word, line or field changed: that each is found.

The rate of changes that are found is printed (pytest -s) and held to 98 % per platform. What is not
found is listed below with the reason why it changes nothing; anything else fails the test.
"""

import json
import re

import pytest
from tests.longer import ALL, drawn
from tests.unit.proof.qos.chosen import mutants
from tests.unit.proof.qos.rendered import (
    FRONTEND,
    RAIL_ONLY,
    RAIL_OPTIMIZED,
    Judge,
    Rendered,
    rendered,
)

from fabricgen.core.diagnostics import Examined, Severity
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.lowering import spell

LEAST = 0.98
SAMPLE = 3
"""One change of so many is tried; `make reliability` tries all."""
UNEQUAL = "  roce: {scheduler: {lossless: 60, best_effort: 40}}"  # 50/50 hides swapped schedulers
STORAGE = """  roce:
    over_subscription: 8
    scheduler: {lossless: 50, best_effort: 30}
    storage: {dscp: 34, share: 20, ecn: {minimum: 200000, maximum: 400000, probability: 10}}"""
SUBNETS = f"{UNEQUAL}\n  nic_addressing: {{mode: subnet}}"
SITES = {
    "eos": [
        (RAIL_ONLY, "7060X6-64PE", "400G", SUBNETS),
        (RAIL_OPTIMIZED, "7060X6-64PE", "400G", UNEQUAL),
        (RAIL_ONLY, "7060X6-64PE", "400G", STORAGE),
        (FRONTEND, "7050CX3-32S", "100G", UNEQUAL),
    ],
    "sonic": [  # headroom that the switch computes, headroom that stands in the file
        (RAIL_ONLY, "SN4700", "400G", UNEQUAL),
        (RAIL_ONLY, "7060X6-64PE", "400G", SUBNETS),
        (RAIL_OPTIMIZED, "7060X6-64PE", "400G", UNEQUAL),
        (RAIL_ONLY, "SN4700", "400G", STORAGE),
        (RAIL_ONLY, "7060X6-64PE", "400G", STORAGE),
        (FRONTEND, "7050CX3-32S", "100G", UNEQUAL),
    ],
    "linux": [  # an ASIC, and a kernel that forwards by itself
        (RAIL_ONLY, "SN4700", "400G", SUBNETS),
        (RAIL_OPTIMIZED, "SN4700", "400G", UNEQUAL),
        (RAIL_OPTIMIZED, "LAB-64", "100G", UNEQUAL),
        (RAIL_ONLY, "SN4700", "400G", STORAGE),
        (FRONTEND, "SN4700", "100G", UNEQUAL),
    ],
}
EQUIVALENT = {
    "eos": {},
    "sonic": {
        r"unused: .*\"mtu\".*": "nothing is cabled there, the port is shut",
        r"unused: CABLE_LENGTH\|AZURE - Ethernet\d+": "no length is no headroom, as 0m",
    },
    "linux": {
        r"unused: .*\bmtu \d+.*": "nothing is cabled there, the port is down",
        r"\w+: .* bandwidth (34000000000)bit .* bandwidth 33999999999bit .*": (
            "an ASIC does not read it; in the kernel it only says how an idle average decays"
        ),
        r"\w+: port \w+ (\d+) -> port \w+ (\d+)": "one byte more of headroom than is needed",
    },
}


def shown_ports(made: Rendered, switch: Switch) -> dict[str, str]:
    """Name one port of each kind."""
    found: dict[str, Port] = {}
    used = set()
    for link in made.site.fabrics[0].topology.links_at[switch.name]:
        port = link.upper_port if link.upper is switch else link.lower_port
        assert isinstance(port, Port)
        used.add(port)
        found.setdefault("server" if link.to_server else "switch", port)
    found["unused"] = next(port for port in switch.ports if port not in used)
    return {spell(switch, port): kind for kind, port in found.items()}


def is_red(examined: Examined) -> bool:
    return any(finding.severity is Severity.ERROR for finding in examined.findings)


def survivors(platform: str) -> tuple[int, list[str]]:
    """Return how many changes there are, and those that are not found."""
    total, alive = 0, []
    for shape, model, speed, more in SITES[platform]:
        made = rendered(shape, platform, model, speed, more)
        judge = Judge(made)
        first = {switch.role: switch for switch in reversed(made.files)}
        for switch in first.values():
            ports = shown_ports(made, switch)
            for path, text in made.files[switch].items():
                for mutant in mutants(path, text, ports):
                    if not drawn(mutant.what, SAMPLE):
                        continue
                    total += 1
                    changed = {**made.files[switch], path: mutant.text}
                    if not is_red(judge.verified(switch, changed)):
                        alive.append(mutant.what)
    return total, alive


@pytest.mark.parametrize("platform", SITES)
def test_a_changed_value_is_found(platform: str) -> None:
    total, alive = survivors(platform)
    rate = 1 - len(alive) / total
    said = f"{platform}: {total - len(alive):,} of {total:,} found, {100 * rate:.2f} %"
    print(said, *alive, sep="\n")  # noqa: T201 - the figures, for who asks with -s
    assert total > (1000 if ALL else 1000 / SAMPLE)
    assert rate >= LEAST
    known = EQUIVALENT[platform]
    assert [what for what in alive if not any(re.fullmatch(one, what) for one in known)] == []
    if ALL:
        assert [one for one in known if not any(re.fullmatch(one, what) for what in alive)] == []


@pytest.mark.parametrize("platform", SITES)
def test_unchanged_nothing_is_found(platform: str) -> None:
    for shape, model, speed, more in SITES[platform]:
        made = rendered(shape, platform, model, speed, more)
        again = {
            switch: {
                path: json.dumps(json.loads(text), indent=4) + "\n" if "json" in path else text
                for path, text in files.items()
            }
            for switch, files in made.files.items()
        }
        examined = made.verified(again)
        assert examined.findings == ()
        assert examined.objects > 0

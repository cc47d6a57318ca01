"""Compare the round-trip time over circuits with the budget of each application."""

from collections.abc import Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.transfers import joining
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.applications import Application
from fabricgen.intent.model.dci import Dci
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.fabric.circuits import Circuit


def judge_budgets(intent: Intent, circuits: Mapping[str, Circuit], findings: Findings) -> None:
    """Report circuits that are too slow for the clients of an application, or not known."""
    links: dict[str, Dci] = intent.unless_refused("dci") or {}
    every: dict[str, Application] = intent.unless_refused("applications") or {}
    for name, words in every.items():
        with findings.going_on():
            for place, client in enumerate(words.clients if words.whole else ()):
                for replica in words.replicas:
                    if client != replica:
                        path = at("applications", name, "clients", place)
                        _judge(name, words, (client, replica), (links, circuits), path, findings)


def _judge(
    name: str,
    words: Application,
    ends: tuple[str, str],
    told: tuple[Mapping[str, Dci], Mapping[str, Circuit]],
    path: IntentPath,
    findings: Findings,
) -> None:
    """Check every circuit between a site with clients and one with servers."""
    (links, circuits), (client, replica) = told, ends
    names = joining(links, client, replica, words.vrf)
    if not names:
        sentence = f"no link of `dci` joins VRF {words.vrf} of {client} and {replica}"
        findings.error(Code.UNKNOWN_REFERENCE, sentence, path)
    budget = words.round_trip or 0
    for each in names:
        circuit = circuits.get(each)
        if circuit is None:
            continue
        both = f"{name} from {client} to {replica} over {each}"
        latency = circuit.latency
        needed = 2 * latency.microseconds / 1000
        if needed > budget:
            text = f"{both} takes {needed:,.3g} ms, but its budget is {budget:g} ms: "
            hint = "use a shorter circuit, a nearer replica, or a larger `round_trip`"
            report = findings.warn if circuit.is_backup else findings.error
            report(Code.LATENCY_ABOVE_BUDGET, f"{text}2 x ({latency.text})", path, hint)
        elif latency.unknown:
            missing = ", ".join(latency.unknown)
            findings.warn(
                Code.LATENCY_UNKNOWN,
                f"{both} takes at least {needed:,.3g} ms of {budget:g} ms, but the latency of "
                f"{missing} is not known",
                path,
                f"set `equipment` or `milliseconds` of the link {each}",
            )

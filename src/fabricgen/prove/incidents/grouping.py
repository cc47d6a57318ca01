"""Groups all findings of a site into incidents, each finding into exactly one."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from fabricgen.model.fabric.switch import Site
from fabricgen.prove.incidents.explain import Explainer
from fabricgen.prove.incidents.graph import Graph
from fabricgen.prove.incidents.impact import Impacts
from fabricgen.prove.incidents.model import Cause, Found, Incident, Kind, Seen
from fabricgen.prove.incidents.rules import links, paths, switches, values
from fabricgen.prove.incidents.view import View
from fabricgen.prove.runs import Expected

Rule = Callable[[View], Iterator[Cause]]
RULES: Sequence[Rule] = (
    switches.silent,
    switches.isolated,
    switches.daemons,
    links.filters,
    links.swapped,
    links.shut,
    links.disabled,
    links.settings,
    links.optics,
    links.servers,
    links.dead,
    links.addresses,
    values.sessions,
    switches.routing,
    links.quiet,
    values.networks,
    values.of_one_switch,
    paths.routes,
    paths.pairs,
    values.unread,
    paths.others,
)
"""Rules in their order. A later rule knows the causes of the earlier ones."""


def incidents(
    site: Site,
    seen: Mapping[str, Seen],
    silent: Mapping[str, str],
    expected: Mapping[str, Expected] | None = None,
    impacts: Impacts | None = None,
) -> tuple[Incident, ...]:
    """Return the incidents, the worst first.

    Args:
        site: The model.
        seen: Switches that answered, by name.
        silent: Switches that did not answer, with the reason.
        expected: Expected state of more switches, also of silent ones.
        impacts: The failure analysis of the site. It keeps its results for the next call.
    """
    known = {**(expected or {}), **{name: each.expected for name, each in seen.items()}}
    view = View(Graph(site, known), seen, silent)
    for rule in RULES:
        view.add(rule(view))
    explainer = Explainer(view)
    groups: dict[int, tuple[Cause, list[Found]]] = {
        id(cause): (cause, []) for cause in view.causes if _stands_alone(cause)
    }
    for found in view.findings():
        cause = explainer.cause_of(found)
        assert cause is not None, found
        groups.setdefault(id(cause), (cause, []))[1].append(found)
    analysis = impacts or Impacts(site)
    made = [
        Incident(cause=cause, findings=tuple(found), impact=analysis.of(cause))
        for cause, found in groups.values()
    ]
    return tuple(sorted(made, key=_worst))


def _stands_alone(cause: Cause) -> bool:
    """Return whether a cause is an incident even without a finding: a switch without an answer."""
    return cause.kind in {Kind.SWITCH_DOWN, Kind.SWITCH_UNREACHABLE}


def _worst(incident: Incident) -> tuple[object, ...]:
    return (*incident.impact.weight, incident.cause.rank, incident.id)

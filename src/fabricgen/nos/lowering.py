"""Lower slices by their platforms: names of ports, gaps and views of files."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.core.record import record
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Port, Server, Switch
from fabricgen.nos.features import Feature, Unsupported, needs
from fabricgen.nos.nos import RenderedBy
from fabricgen.nos.registry import blamed, nos, nos_of, runs_on


@cache
def _port_name(owner: str, model: SwitchModel, port: Port) -> str:
    return nos(owner).port_name(model, port)


def spell(owner: Switch | Server, port: Port | Nic) -> str:
    """Spell a port as its switch's OS does. A NIC of a server keeps its name."""
    if isinstance(owner, Switch) and isinstance(port, Port):
        return _port_name(owner.platform, owner.model, port)
    return port.label


def _lldp_port(owner: Switch, port: Port) -> str:
    there = nos_of(owner)
    return there.lldp_port(owner, port) if there.lldp_port else spell(owner, port)


@record()
class Heard:
    """The LLDP neighbor behind a cable. `managed`: switches by the name of their management port.

    A switch sends its host name, and EOS adds a DNS domain (ANTA, VerifyLLDPNeighbors:
    `require_fqdn`). Its port is the port ID, or for lldpd the description.
    """

    managed: Mapping[str, Switch] = field(default_factory=dict)

    def __call__(self, owner: Switch | Server, port: Port | Nic) -> tuple[str, str]:
        """Return the name and the port that the end of a cable sends."""
        switch = self.managed.get(owner.name)
        names = nos_of(switch).names if switch is not None else None
        if switch is not None and names is not None:
            return switch.name, names.management
        if isinstance(owner, Switch) and isinstance(port, Port):
            return owner.name, _lldp_port(owner, port)
        return owner.name, port.label


PORTS_ALONE = Heard()
"""For a site whose management ports are not checked."""


def heard_in(site: Site) -> Heard:
    """Return the LLDP neighbors of a site."""
    switches = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    return Heard({management_port(switch.name): switch for switch in switches})


def lower_switch(switch_slice: SwitchSlice) -> list[RenderedBy]:
    """Return the files of one switch, ready to render."""
    return nos_of(switch_slice.switch).lower(switch_slice, spell)


class Gaps:
    """Collects the needs of slices that their platforms lack, and reports each gap once."""

    def __init__(self, accepted: frozenset[str], *, lifted: bool) -> None:
        """Accept the lack of some features as a warning, or of all for a stand-in OS (`lifted`)."""
        self._accepted, self._lifted = accepted, lifted
        self._said: dict[tuple[str, str, str], tuple[Diagnostic, list[str]]] = {}

    def accepts(self, feature: Feature) -> bool:
        """Return whether the lack of a feature is only a warning."""
        return self._lifted or feature.value in self._accepted

    def see(self, switch_slice: SwitchSlice) -> None:
        switch, runs = switch_slice.switch, nos_of(switch_slice.switch)
        platforms = switch.model.platforms
        if runs.name not in platforms:
            role = (*switch.because.main, "platform")
            self._say(
                switch,
                "model",
                Diagnostic(
                    Code.MODEL_NOT_ON_PLATFORM,
                    f"{switch.model} does not run {runs.name}",
                    path=role,
                    hint=f"this model runs {', '.join(platforms) or 'no known OS'}",
                ),
            )
            return
        for feature, path in needs(switch_slice).items():
            answer = runs.answer(feature, switch.release)
            if isinstance(answer, Unsupported):
                told = self._gap(runs.label(switch.release), feature, answer.why, path)
                self._say(switch, feature, told)
        if switch_slice.routing.ecmp > runs.max_ecmp:
            self._say(
                switch,
                "ecmp",
                Diagnostic(
                    Code.ECMP_TOO_WIDE,
                    f"the design needs {switch_slice.routing.ecmp} ECMP paths, but {runs.name} "
                    f"supports {runs.max_ecmp}",
                    path=(*switch.because.main, "platform"),
                    hint="use fewer spines or fewer links to each",
                ),
            )
        with blamed(runs.name):
            gaps = runs.gaps(switch_slice)
        for gap in gaps:
            self._say(switch, gap.message, gap)

    def _gap(self, target: str, feature: Feature, why: str, path: IntentPath) -> Diagnostic:
        soft = self.accepts(feature)
        return Diagnostic(
            Code.UNSUPPORTED,
            f"{target} does not support {feature.value}: {why}",
            path=path,
            hint="" if soft else f"disable it, or add {feature.value} to site.accept_unsupported",
            severity=Severity.WARNING if soft else Severity.ERROR,
        )

    def _say(self, switch: Switch, what: str, gap: Diagnostic) -> None:
        key = (switch.fabric, runs_on(switch), what)
        self._said.setdefault(key, (gap, []))[1].append(switch.name)

    def findings(self) -> list[Diagnostic]:
        """Return every gap with the number of affected switches."""
        return [
            replace(gap, message=f"{gap.message} ({len(names)} switch{more}, first {names[0]})")
            for gap, names in self._said.values()
            for more in ("es" if len(names) > 1 else "",)
        ]


def accepted_features(words: list[str]) -> tuple[frozenset[str], list[str]]:
    """Split the intent's list into known features and unknown words."""
    known = {feature.value for feature in Feature}
    return frozenset(words) & known, [word for word in words if word not in known]

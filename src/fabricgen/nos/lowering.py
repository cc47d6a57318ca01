"""Lowers slices by their platforms: names of ports, gaps and views of files."""

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
    """Spell a port as its owner's OS does; a server's NIC keeps its own name."""
    if isinstance(owner, Switch) and isinstance(port, Port):
        return _port_name(owner.platform, owner.model, port)
    return port.label


def _lldp_port(owner: Switch, port: Port) -> str:
    there = nos_of(owner)
    return there.lldp_port(owner, port) if there.lldp_port else spell(owner, port)


@record()
class Heard:
    """Who LLDP says is behind a cable. managed: switches, by what their management port is called.

    A switch gives its host name: EOS puts a DNS domain behind it (ANTA, VerifyLLDPNeighbors:
    `require_fqdn`). Its port is the port ID, or for lldpd the description.
    """

    managed: Mapping[str, Switch] = field(default_factory=dict)

    def __call__(self, owner: Switch | Server, port: Port | Nic) -> tuple[str, str]:
        """Return the name and the port that the end of a cable gives of itself."""
        switch = self.managed.get(owner.name)
        names = nos_of(switch).names if switch is not None else None
        if switch is not None and names is not None:
            return switch.name, names.management
        if isinstance(owner, Switch) and isinstance(port, Port):
            return owner.name, _lldp_port(owner, port)
        return owner.name, port.label


PORTS_ALONE = Heard()
"""Of a site whose management ports are not looked at."""


def heard_in(site: Site) -> Heard:
    """Return who is heard in a site."""
    switches = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    return Heard({management_port(switch.name): switch for switch in switches})


def lower_switch(switch_slice: SwitchSlice) -> list[RenderedBy]:
    """Return the files of one switch, ready to render."""
    return nos_of(switch_slice.switch).lower(switch_slice, spell)


class Gaps:
    """Collects what the slices need and their platforms cannot do; each gap is said once."""

    def __init__(self, accepted: frozenset[str], *, lifted: bool) -> None:
        """accepted: features whose lack is only a warning. lifted: all are, for a stand-in OS."""
        self._accepted, self._lifted = accepted, lifted
        self._said: dict[tuple[str, str, str], tuple[Diagnostic, list[str]]] = {}

    def see(self, switch_slice: SwitchSlice) -> None:
        """Judge one switch."""
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
                    hint=f"it runs {', '.join(platforms) or 'nothing known'}",
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
                    f"{switch_slice.routing.ecmp} equal paths are needed; {runs.name} "
                    f"takes {runs.max_ecmp}",
                    path=(*switch.because.main, "platform"),
                    hint="fewer spines or fewer links to each",
                ),
            )
        with blamed(runs.name):
            gaps = runs.gaps(switch_slice)
        for gap in gaps:
            self._say(switch, gap.message, gap)

    def _gap(self, target: str, feature: Feature, why: str, path: IntentPath) -> Diagnostic:
        soft = self._lifted or feature.value in self._accepted
        return Diagnostic(
            Code.UNSUPPORTED,
            f"{target} cannot do {feature.value}: {why}",
            path=path,
            hint=""
            if soft
            else f"switch it off, or add {feature.value} to site.accept_unsupported",
            severity=Severity.WARNING if soft else Severity.ERROR,
        )

    def _say(self, switch: Switch, what: str, gap: Diagnostic) -> None:
        key = (switch.fabric, runs_on(switch), what)
        self._said.setdefault(key, (gap, []))[1].append(switch.name)

    def findings(self) -> list[Diagnostic]:
        """Return every gap, with how many switches it concerns."""
        return [
            replace(gap, message=f"{gap.message} ({len(names)} switch{more}, first {names[0]})")
            for gap, names in self._said.values()
            for more in ("es" if len(names) > 1 else "",)
        ]


def accepted_features(words: list[str]) -> tuple[frozenset[str], list[str]]:
    """Split the intent's list into known features and unknown words."""
    known = {feature.value for feature in Feature}
    return frozenset(words) & known, [word for word in words if word not in known]

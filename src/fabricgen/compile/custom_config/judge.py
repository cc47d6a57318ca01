"""Check custom config lines against the design with the grammar of the platform.

The grammar reads the file with and without the custom lines. A line that it understands may not
concern an object of the design. A line that it does not understand is counted as unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.custom_config.placing import Fault, placed, text_of
from fabricgen.compile.custom_config.reading import Read
from fabricgen.compile.custom_config.whole import kinds, whole_files
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import counted
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.registry import nos, nos_of, platforms

_HINTS = {
    Code.OWN_LINE_CLASHES: "use the intent key that renders this line, or remove it",
    Code.OWN_LINE_IN_CLEAR: "write <<secret:env:NAME>>, or another reference, in its place",
}
_SHOWN = 3


@dataclass(slots=True)
class _Said:
    """Fault as the first switch has it, with all switches that have it."""

    fault: Fault
    switches: list[str] = field(default_factory=list)

    def told(self) -> Diagnostic:
        fault, first = self.fault, self.switches[0]
        where = f" {fault.where} of {first}" if fault.where else ""
        more = f" (and on {len(self.switches) - 1} more)" if self.switches[1:] else ""
        message = f"{fault.at}: {fault.why}{where}{more}"
        path, hint = fault.own.because.main, _HINTS.get(fault.code, "")
        return Diagnostic(fault.code, message, path=path, hint=hint)


class OwnLines:
    """Check of the custom config of each switch."""

    def __init__(self, *, lifted: bool) -> None:
        """Create the check; with `lifted`, lines of other platforms are accepted."""
        self._lack = Severity.WARNING if lifted else Severity.ERROR
        self._said: dict[tuple[OwnText, str, Code], _Said] = {}
        self._unread: dict[OwnText, dict[str, list[str]]] = {}
        self._used: set[OwnText] = set()

    def see(self, switch_slice: SwitchSlice, texts: Mapping[str, str]) -> None:
        """Check one switch.

        texts: its files without custom config, by path below its folder.
        """
        runs = nos_of(switch_slice.switch)
        self._used.update(own for own in switch_slice.own if own.kind in kinds(runs))
        for each in whole_files(switch_slice, texts):
            self._say(switch_slice, each.faults)
            if not each.faults:
                switches = self._unread.setdefault(each.own, {})
                switches[switch_slice.switch.name] = [f"/{each.own.file}"]
        for file in placed(switch_slice, texts):
            assert runs.grammar is not None
            read = Read(file, runs.grammar.load()[file.file.path])
            self._say(switch_slice, read.faults())
            for item in read.unchecked():
                switches = self._unread.setdefault(text_of(item), {})
                switches.setdefault(switch_slice.switch.name, []).append(item.at)

    def _say(self, switch_slice: SwitchSlice, faults: Iterable[Fault]) -> None:
        for fault in faults:
            key = (fault.own, fault.at, fault.code)
            self._said.setdefault(key, _Said(fault)).switches.append(switch_slice.switch.name)

    def findings(self, site: Site) -> list[Diagnostic]:
        """Return everything that there is to say, once."""
        told = (said.told() for said in self._said.values())
        unread = (_unchecked(*each) for each in self._unread.items())
        every = dict.fromkeys(own for fabric in site.fabrics for own in fabric.own.every())
        unused = (_unused(own, self._lack) for own in every if own not in self._used)
        return [*told, *unread, *unused]


def _unchecked(own: OwnText, switches: Mapping[str, list[str]]) -> Diagnostic:
    places = [*dict.fromkeys(each for own in switches.values() for each in own)]
    shown = ", ".join(places[:_SHOWN]) + (", …" if len(places) > _SHOWN else "")
    noun = "custom file" if own.file else "custom config line"
    total = sum(map(len, switches.values()))
    return Diagnostic(
        Code.OWN_LINES_UNCHECKED,
        f"{counted(total, noun)} on {counted(len(switches), 'switch')} not checked: no grammar "
        f"covers {shown} here",
        path=own.because.main,
        hint="verify them yourself, before and after a push",
        severity=Severity.NOTE,
    )


def _unused(own: OwnText, severity: Severity) -> Diagnostic:
    able = ", ".join(name for name in platforms() if own.kind in kinds(nos(name)))
    return Diagnostic(
        Code.UNSUPPORTED,
        f"no switch here accepts these lines: `{own.kind}` is for {able}",
        path=own.because.main,
        hint="move them to switches of that platform",
        severity=severity,
    )

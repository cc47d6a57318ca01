"""Ask each engine about one example site in which one file is changed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import compile_site, files_of, folder_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_site
from fabricgen.nos.lowering import spell
from fabricgen.prove.audit.judged import findings_of
from fabricgen.prove.evidence import cables, crossings, read_switch
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.lawful import Rendered
from fabricgen.prove.qos.verify import Readback
from fabricgen.prove.reach.matrix import cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.exchange import Exchange
from fabricgen.prove.walk.walk import Walk
from fabricgen.prove.written import prove

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.prove.qos.verify import Verdict
    from fabricgen.prove.reach.matrix import Case
    from fabricgen.prove.reach.stand import Stand
    from fabricgen.prove.walk.packet import End
    from fabricgen.prove.walk.tables import Tables

ROOT = Path(__file__).resolve().parents[2]
Files = dict[str, str]


class Bench:
    """The files of one site on one platform, and the answers of the engines to them."""

    def __init__(self, name: str, platform: str) -> None:
        """Compile and render a site once."""
        made = compile_site(load_site(ROOT / "intent" / name), platform)
        assert made.site is not None
        self.name, self.platform, self.site = name, platform, made.site
        renderer = Renderer()
        self.pieces: dict[str, SwitchSlice] = {}
        self.files: dict[str, Files] = {}
        for _, switch_slice in slices(made.site):
            folder = f"{folder_of(switch_slice.switch)}/"
            own = {
                file.path.removeprefix(folder): file.text
                for file in files_of(switch_slice, renderer)
            }
            self.pieces[switch_slice.switch.name], self.files[switch_slice.switch.name] = (
                switch_slice,
                own,
            )

    def refused(self, switch: str, files: Files) -> bool:
        """Return whether `check --rendered` refuses the files of a switch."""
        switch_slice = self.pieces[switch]
        if prove(switch_slice, files).findings:
            return True
        chain = Readback(self.site, spell)
        for name, verdict in self._verdicts.items():
            if name != switch:
                chain.take(verdict)
        chain.take(chain.judge(switch_slice.switch, files))
        if chain.result().findings:
            return True
        read = Rendered()
        for name, each in self.pieces.items():
            read.take(each.switch, files if name == switch else self.files[name])
        return bool(read.examined().findings)

    @cached_property
    def _verdicts(self) -> Mapping[str, Verdict]:
        chain = Readback(self.site, spell)
        return {
            name: chain.judge(switch_slice.switch, self.files[name])
            for name, switch_slice in self.pieces.items()
        }

    def judged(self, switch: str, files: Files) -> list[str]:
        """Return what `audit` says of the files that it does not say of the rendered ones."""
        every = {**self._judged, switch: self._judge(switch, files)}
        return [each for each in _said(every.values()) if each not in self._before]

    def _judge(self, name: str, files: Files) -> Judged:
        places = {path: f"{name}/{path}" for path in files}
        platform = self.pieces[name].switch.platform
        found = Found(name=name, platform=platform, texts=files, places=places)
        return Judged(found)

    @cached_property
    def _judged(self) -> dict[str, Judged]:
        return {name: self._judge(name, own) for name, own in self.files.items()}

    @cached_property
    def _before(self) -> frozenset[str]:
        return frozenset(_said(self._judged.values()))

    def walked(self, switch: str, files: Files) -> list[str]:
        """Return each pair of stations that `reach` answers otherwise than the model."""
        switch_slice = self.pieces[switch]
        tables = {**self._tables, switch: read_switch(switch_slice.switch, files)[0]}
        exchange = Exchange(tables, self._cables, self._crossings)
        walk = Walk(exchange, [each.station for each in self._stands], {})
        return [
            case.name
            for case in self._cases
            for answer in (walk.answer(case.one.station, case.other.station, case.packet),)
            if answer.outcome is not case.written.outcome
        ]

    @cached_property
    def _stands(self) -> list[Stand]:
        return list(stands(self.site))

    @cached_property
    def _cables(self) -> dict[End, End]:
        return cables(self.site)

    @cached_property
    def _crossings(self) -> dict[End, End]:
        return crossings(self.site)

    @cached_property
    def _tables(self) -> dict[str, Tables]:
        return {
            name: read_switch(switch_slice.switch, self.files[name])[0]
            for name, switch_slice in self.pieces.items()
        }

    @cached_property
    def _cases(self) -> list[Case]:
        exchange = Exchange(self._tables, self._cables, self._crossings)
        walk = Walk(exchange, [each.station for each in self._stands], {})
        return list(cases(self._stands, self._stands, Model(self.site, self._stands), walk))


def _said(switches: Iterable[Judged]) -> list[str]:
    return [f"{each.code} {each.message}" for each in findings_of(list(switches))]

"""Join the configuration files of a switch to the one text that its driver loads."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.compile.compiler import files_of, folder_of
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.output.manifest import sha256
from fabricgen.compile.sandbox import renderer
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.transition import AS_DESIGNED, DESIGNED, Transition
from fabricgen.nos.driver import pack
from fabricgen.nos.registry import nos_of


@dataclass(frozen=True, slots=True)
class Rendered:
    """One switch. files: without the switch's folder; text: input of its driver."""

    files: dict[str, str]
    text: str

    @property
    def sha256(self) -> str:
        """Return the hash of the text with placeholders for secrets."""
        return sha256(self.text)


class Texts:
    """Renders one switch on request, so that memory holds only the switches in work."""

    def __init__(self, site: Site, kept: Mapping[str, Transition] = DESIGNED) -> None:
        """Take a compiled site. kept: settings that switches retain in a step of a change."""
        self._site, self._kept = site, kept
        self._slicers = {fabric.name: Slicer(fabric) for fabric in site.fabrics}
        self._switches = {
            switch.name: switch for fabric in site.fabrics for switch in fabric.topology.switches
        }
        self._renderer = renderer(site.templates)
        self._lock = threading.Lock()

    def keeping(self, kept: Mapping[str, Transition]) -> "Texts":
        """Return the texts of a step of a change."""
        return Texts(self._site, kept) if kept else self

    def slice(self, name: str) -> SwitchSlice:
        """Return the slice that a switch is rendered from."""
        with self._lock:
            return self._slice(name)

    def _slice(self, name: str) -> SwitchSlice:
        switch = self._switches[name]
        return self._slicers[switch.fabric].slice(switch, self._kept.get(name, AS_DESIGNED))

    def of(self, name: str) -> Rendered:
        """Render a switch under a lock: the caches of slicer and renderer are not thread-safe."""
        switch = self._switches[name]
        with self._lock:
            rendered = files_of(self._slice(name), self._renderer)
        folder = folder_of(switch) + "/"
        files = {file.path.removeprefix(folder): file.text for file in rendered}
        runs_on = nos_of(switch)
        if runs_on.alone:
            return Rendered(files, files[runs_on.marker])
        runs = [file.path.removeprefix(folder) for file in rendered if file.executable]
        return Rendered(files, pack(files, runs))

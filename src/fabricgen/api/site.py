"""Represents a site: its findings and, if it is valid, its fabrics, servers and reports."""

from __future__ import annotations

from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from fabricgen.api.devices import Fabric, Server, Switch
from fabricgen.api.errors import InvalidSite, unknown_name
from fabricgen.api.files import Named
from fabricgen.api.workshop import Workshop
from fabricgen.core.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from fabricgen.api.cabling import Cabling
    from fabricgen.api.changes import SiteDiff
    from fabricgen.api.failures import FailureReport
    from fabricgen.api.findings import Finding
    from fabricgen.api.lossless import LosslessReport
    from fabricgen.api.reachability import Matrix, Reachability
    from fabricgen.api.render import RenderedTree, Sources
    from fabricgen.api.search import SearchIndex
    from fabricgen.api.verification import Verification
    from fabricgen.intent.load import Loaded
    from fabricgen.model.fabric import switch
    from fabricgen.review.sides import IntentSource


class Site:
    """A site of an intent folder.

    Loading never raises for a bad intent: `findings` has the errors, and `ok` is False. A call that
    needs a valid site raises `InvalidSite`.

    >>> site = Site.load("intent/lab")
    >>> site.ok
    True
    >>> site.fabrics["backend"].switches["be-su01-leaf1"].role
    'leaf'
    """

    def __init__(self, path: Path, loaded: Loaded, sources: Sources) -> None:
        self.path = path
        self._loaded, self._sources, self._compiled = loaded, sources, sources.compiled

    @classmethod
    def load(cls, path: str | Path, *, platform: str | None = None) -> Site:
        """Load, design and check a site.

        Args:
            path: Folder with the intent.
            platform: Render for this NOS, as `sonic` or `sonic:202505`.

        Returns:
            The site, also if it has errors.
        """
        from fabricgen.api.render import Sources
        from fabricgen.compile.compiler import checked, designed
        from fabricgen.intent.files import read_site
        from fabricgen.intent.load import load_texts

        folder = Path(path)
        files = read_site(folder)
        loaded = load_texts(*files)
        design = designed(loaded, platform)
        sources = Sources(files=files, platform=platform, design=design, compiled=checked(design))
        return cls(folder, loaded, sources)

    @property
    def ok(self) -> bool:
        """Return whether the site has no errors."""
        return self._compiled.ok

    @property
    def name(self) -> str:
        """Return the name of the site, or of its folder if the intent is unreadable."""
        return self._compiled.site.name if self._compiled.site is not None else self.path.name

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Return all findings with their places. Errors come first."""
        from fabricgen.api.findings import entries
        from fabricgen.intent.acknowledging import acknowledge

        marked = acknowledge(self._compiled.findings, self._loaded.intent)
        return tuple(entries(marked, self._loaded.source))

    @property
    def checks(self) -> tuple[tuple[str, int, str], ...]:
        """Return each check with the number of examined objects and their noun."""
        return tuple((each.check, each.objects, each.noun) for each in self._compiled.examined)

    @property
    def model(self) -> switch.Site:
        """Return the vendor-neutral model. Its fields may change in each release.

        Raises:
            InvalidSite: The site has errors.
        """
        if self._compiled.site is None or not self.ok:
            self._refuse()
        return self._compiled.site

    def _refuse(self) -> NoReturn:
        errors = [item for item in self.findings if item.severity is Severity.ERROR]
        first = errors[0]
        raise InvalidSite(
            Diagnostic(
                first.code,
                f"{self.path} has errors, first {first.message}",
                hint=f"`fabricgen check {self.path}` lists {len(errors):,}",
            )
        )

    @cached_property
    def _workshop(self) -> Workshop:
        return Workshop(self.model, self._loaded.source)

    @cached_property
    def fabrics(self) -> Named[Fabric]:
        """Return the fabrics by name."""
        made = (Fabric(found, self._workshop) for found in self.model.fabrics)
        return Named("fabric", ((each.name, each) for each in made))

    @cached_property
    def switches(self) -> Named[Switch]:
        """Return the switches of all fabrics by name."""
        every = (fabric.switches for fabric in self.fabrics.values())
        return Named("switch", (item for named in every for item in named.items()))

    @cached_property
    def servers(self) -> Named[Server]:
        """Return the servers of all fabrics by name."""
        found = self._workshop.servers.values()
        return Named("server", ((each.name, Server(each, self._workshop)) for each in found))

    def reach(self, sender: str, receiver: str, service: str = "") -> Reachability:
        """Check whether packets reach a receiver, in the model and in the rendered files.

        Args:
            sender: A server, `SERVER:PORT`, a kind of servers, a VLAN, a VRF, a prefix,
                `outside:ROUTER` or `management`.
            receiver: The same.
            service: A protocol (tcp, udp, icmp) with an optional port, such as `tcp/443`.

        Raises:
            UnknownName: The site does not have one of the ends.
            InvalidSite: The site has errors.
        """
        from fabricgen.api.reachability import Ends, parse_service, reachability

        ends = Ends(sender=sender, receiver=receiver, service=parse_service(service))
        return reachability(self.model, self._loaded.source, ends)

    def matrix(self) -> Matrix:
        """Check all pairs of networks, in the model and in the rendered files."""
        from fabricgen.api.reachability import matrix

        return matrix(self.model)

    def failures(self, *parts: str) -> FailureReport:
        """Simulate failures and check the availability requirements.

        Args:
            parts: Switches and ports (`SWITCH:PORT`, `SERVER:PORT`) that fail together. Default:
                each single failure, and the combinations that the intent names.

        Raises:
            UnknownName: The site does not have one of the parts.
            InvalidSite: The site has errors.
        """
        from fabricgen.api.failures import simulate

        return simulate(self.model, parts)

    def lossless(self, switch: str | None = None) -> LosslessReport:
        """Return headroom, thresholds and ECN points with every term of each number.

        Args:
            switch: Only this switch. Default: one row for each kind of lossless switch.

        Raises:
            UnknownName: The switch is not in the site, or it has no lossless class.
            InvalidSite: The site has errors.
        """
        from fabricgen.api.lossless import lossless_report

        return lossless_report(self.model, switch)

    def search_index(self) -> SearchIndex:
        """Return the addresses, AS numbers, VLANs and VRFs of the site.

        Raises:
            InvalidSite: The site has errors.
        """
        from fabricgen.api.search import SearchIndex

        return SearchIndex(self.model)

    def render(self, folder: str | Path, *, force: bool = False) -> RenderedTree:
        """Write the tree of the site, as `fabricgen render` does. Every file is proven before.

        Args:
            folder: Folder of the tree. It is replaced as a whole.
            force: Render all files again, and overwrite manually changed files.

        Raises:
            InvalidSite: The site has errors. Nothing was written.
            Unproven: The files do not implement the design. Nothing was written.
            Refused: The folder has foreign or changed files. Nothing was written.
        """
        from fabricgen.api.render import Order, render

        order = Order(site=self.path, target=Path(folder), force=force)
        return render(self.model, self._sources, self._loaded.source, order)

    def cabling(self) -> Cabling:
        """Return the physical plan: all cables with their ends, lengths and parts.

        Raises:
            InvalidSite: The site has errors.
            MissingExtra: This installation lacks the planning package.
        """
        from fabricgen.api.cabling import cabling

        return cabling(self.model)

    def verify(self, *, answers: str | Path) -> Verification:
        """Check recorded answers of switches, as `fabricgen verify --from` does. Store nothing.

        Args:
            answers: Folder or tarball that `fabricgen verify --record` wrote.

        Raises:
            Failure: The recording cannot be read.
            InvalidSite: The site has errors.
            MissingExtra: This installation lacks the package that reads switches.
        """
        from fabricgen.api.verification import verify

        return verify(self.model, self._loaded.source, Path(answers))

    def diff(self, before: str | Path | Site) -> SiteDiff:
        """Review the change from another side to this site, as `fabricgen diff` does.

        Args:
            before: A site, the folder of a site or of a rendered tree, `REV:PATH` in a git
                repository, or a folder of saved configurations.

        Raises:
            InvalidSite: This site or the other side has errors.
        """
        from fabricgen.api.changes import diff

        source = before._side if isinstance(before, Site) else before  # noqa: SLF001 - a Site
        return diff(source, self._side)

    @property
    def _side(self) -> IntentSource:
        from fabricgen.review.sides import IntentSource

        return IntentSource(str(self.path), self._loaded, self._sources.platform)

    def __getitem__(self, name: str) -> Switch | Server:
        """Return the switch or server of a name."""
        if name in self.switches:
            return self.switches[name]
        if name in self.servers:
            return self.servers[name]
        raise unknown_name("switch or server", name, [*self.switches, *self.servers])

    def __repr__(self) -> str:
        """Return the name and the state."""
        state = "valid" if self.ok else "with errors"
        return f"<Site {self.name}: {state}, {len(self.findings):,} findings>"

    def _repr_html_(self) -> str:
        if not self.ok:
            rows = "".join(
                f"<tr><td>{each.severity}<td>{escape(each.code)}<td>{escape(each.place)}"
                f"<td>{escape(each.message)}</tr>"
                for each in self.findings
            )
            return f"<table><tr><th>severity<th>code<th>place<th>message</tr>{rows}</table>"
        rows = "".join(
            f"<tr><td>{escape(each.name)}<td>{escape(each.design)}<td>{len(each.switches):,}</tr>"
            for each in self.fabrics.values()
        )
        head = "<tr><th>fabric<th>design<th>switches</tr>"
        return f"<table><caption>{escape(self.name)}</caption>{head}{rows}</table>"

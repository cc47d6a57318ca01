"""Write every file of the folder that containerlab deploys."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import yaml

from fabricgen.compile.compiler import File, folder_of
from fabricgen.compile.render import Renderer
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.containerlab import LAB_IMAGE, START
from fabricgen.nos.registry import kind_of
from fabricgen.operate.export.absent import left_out
from fabricgen.operate.export.containerlab.topology import SYSCTL, Lab, lay_out

MANY_NODES = 50
"""Size above which a lab is called large. An estimate, not a limit of containerlab."""

_TEMPLATE = "{{"


@record(kw_only=True)
class Ran:
    """Description of the nodes of one platform."""

    platform: str
    kind: str
    image: str
    switches: int
    unchanged: str
    differs: tuple[str, ...]


@record()
class Secret:
    """An unresolved reference, and the number of its files."""

    reference: str
    files: int


@record(kw_only=True)
class Summary:
    """Content for README and terminal.

    Attributes:
        templated: Startup configurations that containerlab would parse as templates.
        absent: Sentence about planned or dead devices.
        outside: External peers without a node.
    """

    name: str
    topology: str
    nodes: int
    links: int
    servers: int
    lab_image: str
    ran: tuple[Ran, ...]
    secrets: tuple[Secret, ...]
    templated: tuple[str, ...]
    absent: tuple[str, ...]
    outside: tuple[str, ...]


@record()
class Export:
    """A complete lab."""

    summary: Summary
    files: tuple[File, ...]


def export(site: Site, rendered: Iterable[tuple[Switch | Server, Sequence[File]]]) -> Export:
    """Write a lab from a site and its rendered files."""
    lab = lay_out(site)
    configs = [file for owner, files in rendered for file in _taken(owner, files, lab)]
    summary = _summary(site, lab, configs)
    return Export(summary, (*_head(lab, summary), *configs))


def _taken(owner: Switch | Server, files: Sequence[File], lab: Lab) -> Iterator[File]:
    """Yield the files that a node reads: of a server only its sysctl, of a switch all files."""
    if not isinstance(owner, Switch):
        there = owner.name in lab.servers
        yield from (file for file in files if there and file.path.endswith(f"/{SYSCTL}"))
        return
    if owner.name not in lab.switches:
        return
    yield from files
    beside = kind_of(owner.platform).beside(lab.switches[owner.name])
    yield from (
        File(f"{folder_of(owner)}/{name}", text, executable=False) for name, text in beside.items()
    )


def _head(lab: Lab, summary: Summary) -> Iterator[File]:
    draw = Renderer().section
    yield File(summary.topology, as_yaml(lab.topology), executable=False)
    yield File("README.md", draw("containerlab/readme", summary), executable=False)
    yield File("image/Dockerfile", draw("containerlab/dockerfile", summary), executable=False)
    yield File(START, draw("containerlab/start", summary), executable=True)


def _summary(site: Site, lab: Lab, configs: Sequence[File]) -> Summary:
    counts = Counter(wired.switch.platform for wired in lab.switches.values())
    held = Counter(word for file in configs for word in set(PLACEHOLDER.findall(file.text)))
    return Summary(
        name=site.name,
        topology=f"{site.name}.clab.yml",
        nodes=len(lab.topology["topology"]["nodes"]),
        links=len(lab.topology["topology"].get("links", ())),
        servers=len(lab.servers),
        lab_image=LAB_IMAGE,
        ran=tuple(_ran(platform, count) for platform, count in sorted(counts.items())),
        secrets=tuple(Secret(word, count) for word, count in sorted(held.items())),
        templated=tuple(
            file.path
            for file in configs
            if file.path.endswith("/eos.cfg") and _TEMPLATE in file.text
        ),
        absent=tuple(left_out(site, servers=True)),
        outside=tuple(_outside(site)),
    )


def _ran(platform: str, switches: int) -> Ran:
    kind = kind_of(platform)
    return Ran(
        platform=platform,
        kind=kind.name,
        image=kind.image,
        switches=switches,
        unchanged=kind.unchanged,
        differs=kind.differs,
    )


def _outside(site: Site) -> Iterator[str]:
    for fabric in site.fabrics:
        if fabric.overlay is not None:
            for switch, peers in fabric.overlay.external.items():
                there = switch not in fabric.absent
                yield from (f"{switch} {peer.label}" for peer in peers if there and peer.speaks)


class _Ends(list[str]):
    """The two ends of a link, printed on one line."""


# Our own dumper, based on libyaml if available, because only links use the flow style.
_DUMPER: Any = type("_Dumper", (getattr(yaml, "CSafeDumper", yaml.SafeDumper),), {})
_DUMPER.add_representer(
    _Ends,
    lambda dumper, ends: dumper.represent_sequence("tag:yaml.org,2002:seq", ends, flow_style=True),
)


def as_yaml(topology: dict[str, Any]) -> str:
    """Format a topology with one link per line."""
    inner = topology["topology"]
    links = [{"endpoints": _Ends(link["endpoints"])} for link in inner.get("links", ())]
    shown = {**topology, "topology": {**inner, **({"links": links} if links else {})}}
    head = "# Made by `fabricgen lab export`; README.md says how to boot it.\n"
    return head + str(yaml.dump(shown, Dumper=_DUMPER, sort_keys=False, width=10_000))

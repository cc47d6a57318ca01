"""Defines the result of a review: causes, effects, losses, order and blocks of changed text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum, StrEnum, auto

from fabricgen.core.diagnostics import IntentPath, Position
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Risk

INTENT, CATALOG, RELEASE, COMPILER, TEMPLATE = (
    "intent",
    "catalog",
    "release",
    "compiler",
    "template",
)
"""Kinds of causes."""


class Act(StrEnum):
    """Change of a subject."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    RENAMED = "renamed"
    REPLACED = "replaced"


INVERSE = {Act.ADDED: Act.REMOVED, Act.REMOVED: Act.ADDED}
"""Acts of the opposite change; every other act is its own inverse."""


@record(kw_only=True)
class Cause:
    """One reason of a change.

    Attributes:
        kind: INTENT, CATALOG, RELEASE, COMPILER or TEMPLATE.
        path: Key of the intent. For other kinds a name.
        before: Old value as YAML on one line. Empty if the key is new.
        after: New value. Empty if the key was removed.
        old: Place in the files of side A, if the key exists there.
        new: Place in the files of side B, if the key exists there.
    """

    kind: str
    path: IntentPath
    before: str
    after: str
    old: Position | None = None
    new: Position | None = None


@record(kw_only=True)
class Effect:
    """One effect on the network.

    Effects of equal `key` on several devices are one effect.

    Attributes:
        act: What happens.
        kind: Kind of the subject in lower case: `server`, `cable`, `vlan`, `session`.
        name: Name of the subject. Empty for a setting of all devices in `on`.
        attribute: Changed attribute. Empty for the complete subject.
        before: Old value. Empty for none.
        after: New value. Empty for none.
        text: The effect as an engineer words it, without the devices in `on`.
        on: Names of the switches and servers whose files change by it, sorted.
        objects: Number of equal objects, such as ports, over all devices.
        causes: Indexes into the causes of the review.
        risk: Highest risk of its lines. None for an effect on the model, whose lines have
            effects of their own.
        derived: Whether the effect only follows from another one of the review.
    """

    act: Act
    kind: str
    name: str
    text: str
    attribute: str = ""
    before: str = ""
    after: str = ""
    on: tuple[str, ...] = ()
    objects: int = 1
    causes: tuple[int, ...] = ()
    risk: Risk | None = None
    derived: bool = False

    @property
    def key(self) -> str:
        """Return the identity, which a declared change names: `changed vlan 310 vni`."""
        return " ".join(filter(None, (self.act, self.kind, self.name, self.attribute)))


class Loss(IntEnum):
    """Loss of a server, in the order of harm."""

    NOTHING = auto()
    BANDWIDTH = auto()  # part of its bandwidth
    LEG = auto()  # one of several ports of a network
    NETWORK = auto()  # all ports of a network
    SERVER = auto()  # all its networks, or the server leaves the site


@record(kw_only=True)
class Hit:
    """Servers with one equal loss.

    Attributes:
        loss: What each loses.
        network: Fabric in which they lose it. Empty for all.
        servers: Names of the servers, in natural order.
        gpus: Number of their GPUs.
        tenants: Names of their tenants.
        jobs: Names of their jobs.
        rails: Rails that they lose, from 1.
        keeps: Remaining share of bandwidth in the fabric, from 0 to 1. None if not known.
        text: The loss in one sentence, without names and numbers of the servers.
        lasts: Duration by the behavior of the platform, or `not known: …`.
        drain: Whether a drain of the causing switches avoids it, in one sentence.
        by: Causing switches or servers.
        why: Line or driver action that causes it: `FILE: PLACE (reason)`.
    """

    loss: Loss
    network: str
    servers: tuple[str, ...]
    gpus: int
    text: str
    lasts: str
    drain: str
    tenants: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    rails: tuple[int, ...] = ()
    keeps: float | None = None
    by: tuple[str, ...] = ()
    why: str = ""


@record(kw_only=True)
class Batch:
    """Switches that change at the same time, as `plan` would order them."""

    fabric: str
    switches: tuple[str, ...]
    why: str
    warnings: tuple[str, ...] = ()


@record(kw_only=True)
class Order:
    """Order of a push, computed without switches. Sentences count batches within a fabric.

    Attributes:
        batches: Batches in their order, of each fabric.
        first: Acts before the first batch, between batches or after the last one, in sentences.
        together: Settings that cannot change in several batches without interruption.
        unknown: Why there is no order, or its part that is not known. Empty if it is complete.
    """

    batches: tuple[Batch, ...] = ()
    first: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    unknown: str = ""


@record(kw_only=True)
class Shape:
    """One template of changed lines and every place that has it.

    Attributes:
        file: Path of the file below the folder of the device.
        place: Sections around the lines, outermost first. `{1}` is the first varying value.
        removed: Removed lines, as templates.
        added: Added lines, as templates.
        rows: Device, then one value for each placeholder. One row for each place.
        whole: Whether the complete section is new or removed.
    """

    file: str
    place: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    whole: bool = False


@record(kw_only=True)
class Reason:
    """Verdict of a risk rule on some lines of a block.

    Attributes:
        file: Path of the file below the folder of the device. Empty for all files.
        place: Sections and line of the first one, on the first device.
        more: Number of further places.
        kind: `added`, `removed` or `changed`.
        why: Reason of the rule.
        source: Source of the rule.
        known: Whether a rule fits, and not the cautious default of the platform.
    """

    risk: Risk
    file: str
    place: str
    more: int
    kind: str
    why: str
    source: str
    known: bool


@record(kw_only=True)
class Block:
    """Devices whose changes differ in values only.

    Attributes:
        folders: Folders of the devices in the tree, in natural order.
        shapes: Templates of their changes.
        risk: Highest risk.
        reasons: Verdict of each risk rule, the worst first.
        status: `changed`, `new` or `removed`.
        added: Number of added lines over all devices.
        removed: Number of removed lines over all devices.
    """

    folders: tuple[str, ...]
    shapes: tuple[Shape, ...]
    risk: Risk
    status: str
    added: int
    removed: int
    reasons: tuple[Reason, ...] = ()


@record(kw_only=True)
class Unexplained:
    """Changed line that no effect claims: device folder, file and line with its sign."""

    folder: str
    file: str
    line: str


@record(kw_only=True)
class Review:
    """Result of a comparison of two sides.

    Attributes:
        before: Name of side A.
        after: Name of side B.
        devices: Number of switches and servers on either side.
        causes: Reasons in the intent and elsewhere. Empty for sides without an intent.
        effects: Effects, the worst first.
        hits: Losses, the worst first. None if the sides do not show who is attached.
        order: Order of a push. None if the sides have no model.
        blocks: Changed text by shape.
        radius: Number of devices by their highest risk.
        unexplained: Changed lines without an effect.
        notes: Limits of the comparison, in sentences.
    """

    before: str
    after: str
    devices: int
    effects: tuple[Effect, ...]
    blocks: tuple[Block, ...]
    radius: Mapping[Risk, int] = field(default_factory=Counter)
    causes: tuple[Cause, ...] = ()
    hits: tuple[Hit, ...] | None = None
    order: Order | None = None
    unexplained: tuple[Unexplained, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the folders of all devices that change."""
        return tuple(folder for block in self.blocks for folder in block.folders)

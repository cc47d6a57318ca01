"""Hold what three witnesses have of one switch, and compare one value of all three."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.core.tree.facts import Attributes, Facts, Key, Value, spelled
from fabricgen.model.fabric.port_qos import QosState
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.show import Observed
from fabricgen.nos.spelling import Names
from fabricgen.prove.reach.live.branches import Underlay
from fabricgen.prove.reach.live.steps import Item, State
from fabricgen.prove.runs import Expected, topic
from fabricgen.prove.walk.tables import Tables


class Unknown(NamedTuple):
    """An unknown value, with the reason."""

    why: str


class Unstated(NamedTuple):
    """A value that files do not state because the platform has no line for it, or a default."""

    text: str


Seen = Value | None | Unknown | Unstated
"""A value, or None if the object or attribute is certainly absent."""
Fits = Callable[[Value | None, Value | None], bool]
"""Whether a seen value is right, by the value of the model."""
NONE = "none"


@dataclass(slots=True, kw_only=True, eq=False)
class Side:
    """One switch in the model, the files and the running state.

    Attributes:
        expected: Its state in the model.
        names: Names of its platform.
        design: Its slice of the model.
        facts: Facts of its files.
        tables: Tables that packets use, from its files.
        qos: Queues of its files. None if its platform is not read back.
        observed: Its running state. None if it was not read.
        underlay: Its designed underlay routes.
        reason: Why it was not read.
        odd: Running filters and settings that the model does not have, once they are listed.
    """

    expected: Expected
    names: Names
    design: SwitchSlice
    facts: Facts
    tables: Tables
    qos: QosState | None
    observed: Observed | None
    underlay: Underlay
    reason: str = ""
    odd: list[tuple[Key, Attributes]] | None = None

    def model(self, key: Key, attribute: str) -> Value | None:
        """Return a value of the model."""
        return self.expected.facts.get(key, {}).get(attribute)

    def unread(self, key: Key, attribute: str) -> Unknown | None:
        """Return why the running value is unknown. None if it was read."""
        if self.observed is None:
            return Unknown(self.reason or "not read")
        name = topic(key, attribute)
        part = self.expected.about.get(name)
        if part is None:
            return Unknown(f"{self.expected.platform} does not report it")
        if part in self.observed.unread:
            return Unknown(self.observed.unread[part])
        for known in ((key[0], attribute), name):
            for count in range(len(key), 0, -1):
                why = self.observed.unknown.get((*known, *key[1:count]))
                if why is not None:
                    return Unknown(why)
        return None

    def running(self, key: Key, attribute: str) -> Seen:
        """Return a value of the running switch."""
        unread = self.unread(key, attribute)
        if unread is not None or self.observed is None:
            return unread or Unknown("not read")
        return self.observed.facts.get(key, {}).get(attribute)

    def source(self, key: Key, attribute: str) -> str:
        """Return the command and the field of a running value."""
        source = self.expected.sources.get(topic(key, attribute))
        return source.text if source is not None else ""

    def logical(self, port: str) -> str:
        """Return the interface with the VLANs, VRF and MTU of a port: its bundle, if any."""
        bundle = self.model(("interface", port), "bundle")
        return self.names.bundle(int(str(bundle))) if bundle is not None else port


def compared(
    name: str,
    place: str,
    values: tuple[Value | None, Seen, Seen],
    *,
    fits: Fits = operator.eq,
    file_fits: Fits | None = None,
    source: str = "",
) -> Item:
    """Compare the values of the model, the files and the running switch.

    Args:
        name: Name of the value.
        place: The port or interface.
        values: The three values.
        fits: Whether a running value is right.
        file_fits: Whether a value of the files is right. None: as for running values.
        source: Command and field of the running value.
    """
    model, files, running = values
    whys = (("files", files), ("running", running))
    return Item(
        name=name,
        place=place,
        model=_text(model),
        files=_text(files),
        running=_text(running),
        written=_state(model, files, file_fits or fits),
        state=_state(model, running, fits),
        why="; ".join(f"{who}: {seen.why}" for who, seen in whys if isinstance(seen, Unknown)),
        source=source,
    )


def _state(model: Value | None, seen: Seen, fits: Fits) -> State:
    if isinstance(seen, Unknown):
        return State.UNKNOWN
    if isinstance(seen, Unstated):
        return State.SAME
    return State.SAME if fits(model, seen) else State.DIFFERS


def _text(value: Seen) -> str:
    if isinstance(value, Unknown):
        return ""
    if isinstance(value, Unstated):
        return value.text
    return spelled(value) if value else NONE

"""Compares a site with its running switches, switch by switch."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from fabricgen.compile.compiler import slices
from fabricgen.core.progress import stage
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.transition import DESIGNED, Transition
from fabricgen.nos.lowering import heard_in
from fabricgen.nos.registry import reader_of, required_reader
from fabricgen.nos.show import ESTABLISHED, BgpActivity, Observed, Part
from fabricgen.prove.differences import Difference, Kind, compare
from fabricgen.prove.left import named
from fabricgen.prove.running_overlay import around
from fabricgen.prove.runs import Expected, expected
from fabricgen.prove.sharing import Sharing
from fabricgen.prove.underlay import underlay

# The first Established state does not show completion: with BFD a session is often reset once at
# the start, and routes arrive later. BGP is complete if each peer has ended its first table
# (End-of-RIB, RFC 4724 section 2) and two snapshots are equal.


def unsettled(expected: Expected, before: Observed, after: Observed) -> tuple[str, ...]:
    """Return a sentence for each unsettled part of BGP; empty if all is settled.

    The sessions need not match the model. Sessions to absent switches never settle, and are
    omitted.
    """
    if not expected.of("session"):
        return ()
    for look in (before, after):
        if Part.BGP in look.unread:
            return (f"BGP sessions could not be read: {look.unread[Part.BGP]}",)
    if before.pulses.keys() != after.pulses.keys():
        return ("the set of BGP sessions changed since the last snapshot",)
    moving = [
        f"BGP neighbor {key[-1]} {why}"
        for key, pulse in after.pulses.items()
        if expected.waits_for(key)
        for why in _moves(before.pulses[key], pulse, after.facts[key])
    ]
    if before.of("route") != after.of("route"):
        moving.append("the underlay routes changed")
    return tuple(moving)


def _moves(then: BgpActivity, now: BgpActivity, session: Attributes) -> Iterator[str]:
    """Yield the reasons for which a session is unsettled."""
    missing = set(session["families"]) - set(now.ended)
    if session["state"] != ESTABLISHED:
        yield f"is {session['state']}"
    elif then.resets != now.resets or now.up < then.up:
        yield "was reset"
    elif missing:
        yield f"has not ended its first table of {', '.join(sorted(missing))}"
    elif now.waiting:
        yield f"has {now.waiting} messages waiting"
    elif then.updates != now.updates:
        yield "still sends or receives updates"
    elif then.prefixes != now.prefixes:
        yield "still gains or loses prefixes"


Ask = Callable[[Mapping[str, str]], Mapping[str, str | Observed]]
"""Sends read-only requests: switch → request in, switch → output out, for answering switches.

The output may be parsed already, so that no raw output is kept.
"""


@record(kw_only=True)
class Look:
    """One snapshot of one switch. `moving`: unsettled parts of its BGP since the last snapshot.

    `first`: there is no earlier snapshot, so this is unknown. `before`: that earlier snapshot.
    """

    expected: Expected
    observed: Observed
    differences: tuple[Difference, ...]
    moving: tuple[str, ...]
    first: bool
    before: Observed | None = None

    @property
    def wrong(self) -> bool:
        """Return whether a value contradicts the model, which waiting does not change."""
        return any(each.kind is Kind.WRONG for each in self.differences)

    @property
    def done(self) -> bool:
        """Return whether the state is as expected, and settled."""
        return not (self.differences or self.moving or self.first)


def expectations(
    site: Site,
    part: Collection[str],
    answered: Collection[tuple[str, str]] = (),
    kept: Mapping[str, Transition] = DESIGNED,
) -> dict[str, Expected]:
    """Return the expected state of each running switch; servers do not use LLDP.

    `part`: names of the present switches. Other parts of a site (omitted switches, external peers)
    are not expected, except for the external peers that are `answered`, by switch and label.
    `kept`: switches in a step of a change, by name. Switches of a platform without a reader are
    omitted.
    """
    there, heard, shared = frozenset(part), heard_in(site), Sharing()
    by_fabric = defaultdict(list)
    keeps = {fabric.name: fabric.unmanaged for fabric in site.fabrics}
    known = {fabric.name: fabric.identities for fabric in site.fabrics}
    for fabric, switch_slice in slices(site, kept):
        if switch_slice.switch.name in there:
            by_fabric[fabric.name].append(switch_slice)
    return {
        switch_slice.switch.name: shared.expected(
            replace(
                expected(switch_slice, ways, reader, there, answered, heard, leafs),
                others=named(switch_slice, keeps[name].of(switch_slice.switch.name)),
            )
        )
        for name, pieces in by_fabric.items()
        for ways, leafs in ((underlay(pieces), around(pieces, known[name])),)
        for switch_slice in pieces
        for reader in (reader_of(switch_slice.switch.platform),)
        if reader is not None
    }


class Verifier:
    """Takes snapshots of running switches repeatedly."""

    def __init__(self, ask: Ask, wanted: Mapping[str, Expected]) -> None:
        """Set the function that asks switches, and their expected state."""
        self.wanted, self._ask = wanted, ask
        self._before: dict[str, Observed] = {}

    def look(self, names: Iterable[str] | None = None) -> dict[str, Look]:
        """Take a snapshot of all switches, or of some; switches without an answer are omitted."""
        chosen = names or self.wanted
        asked = [self.wanted[name] for name in chosen]
        requests = {
            each.switch: required_reader(each.platform).request(each.facts) for each in asked
        }
        outputs = self._ask(requests)
        return {name: self._at(name, output) for name, output in outputs.items()}

    def _at(self, name: str, output: str | Observed) -> Look:
        wanted = self.wanted[name]
        reader = required_reader(wanted.platform)
        observed = reader.read(output) if isinstance(output, str) else output
        before, self._before[name] = self._before.get(name), observed
        moving = () if before is None else unsettled(wanted, before, observed)
        return Look(
            expected=wanted,
            observed=observed,
            differences=compare(wanted, observed),
            moving=moving,
            first=before is None,
            before=before,
        )

    def settle(
        self, patience: float, tell: Callable[[Mapping[str, Look]], None] | None = None
    ) -> dict[str, Look]:
        """Take snapshots until all state is as expected, or `patience` seconds are over.

        A switch that contradicts the model is checked once more, and then not waited for.
        """
        with stage("comparing with the model", len(self.wanted)) as settled:
            end, looks, twice = time.monotonic() + patience, self.look(), set[str]()
            while True:
                settled.done = sum(look.done for look in looks.values())
                if tell is not None:
                    tell(looks)
                left = [name for name, look in looks.items() if not look.done and name not in twice]
                if not left or time.monotonic() > end:
                    return looks
                twice |= {name for name in left if looks[name].wrong and not looks[name].moving}
                looks |= self.look(left)

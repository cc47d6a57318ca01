"""State what the files of a leaf say of its diagnostic addresses."""

from collections.abc import Iterator

from fabricgen.fabric.because import Because
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names
from fabricgen.tree.facts import Attributes, Key


def said_of_diagnostics(
    piece: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield the interface of each diagnostic address. It is in the VRF, and always up."""
    for vrf in piece.vrfs:
        if vrf.diagnostics is not None and names.diagnostic is not None:
            source = str(vrf.diagnostics.address(piece.switch))
            own: Attributes = {"link": UP, "address": (source,), "vrf": vrf.name}
            yield ("interface", names.diagnostic(vrf)), own, vrf.diagnostics.because

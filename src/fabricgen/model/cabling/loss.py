"""Computes the optical loss of a cable and the loss budget of its optics.

loss = MPO pairs x 0.35 dB + LC pairs x 0.25 dB + km x dB/km. The plugs in the optics belong to the
specification of the optics (IEEE 802.3, channel insertion loss).
"""

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.media import plug_of
from fabricgen.model.cabling.patched import Patched, Side
from fabricgen.model.fabric.floor import Losses


@record(kw_only=True)
class Loss:
    """Loss in dB. `mpo`, `lc`: number of plug pairs. `budget`: None if unknown."""

    mpo: int
    lc: int
    fiber: float
    total: float
    budget: float | None

    @property
    def too_much(self) -> bool:
        """Return whether the loss exceeds the budget; False if the budget is unknown."""
        return self.budget is not None and self.total > self.budget + 1e-9


def loss_of(cable: Cable, losses: Losses, by: Patched | None = None) -> Loss | None:
    """Return the loss of a cable; None without fiber and plugs.

    `by`: the panels on its path, if any.
    """
    if cable.way is None or cable.medium not in losses.fiber or cable.way.near.is_cable:
        return None
    ends = (cable.way.near, cable.way.far)
    mates = [meets(side) for side in (by.near, by.far)] if by is not None else [(0, 0)]
    if cable.channel is not None:
        mates += [(each.panels, 0) for each in cable.channel.crossings]
    mpo, lc = (sum(counts) for counts in zip(*mates, strict=True))
    fiber = cable.length.meters / 1000 * losses.fiber[cable.medium]
    said = [optic.loss for optic in ends if optic.loss is not None]
    return Loss(
        mpo=mpo,
        lc=lc,
        fiber=fiber,
        total=mpo * losses.mpo + lc * losses.lc + fiber,
        budget=min(said) if len(said) == len(ends) else None,
    )


def meets(side: Side) -> tuple[int, int]:
    """Return the pairs of MPO and of LC plugs at one panel.

    A plug with a dedicated trunk joins it in an adapter. All others join a cassette, whose back
    joins the trunk.
    """
    plug = plug_of(side.optic)
    if plug is not None and plug.family == "LC":
        return 1, 1
    return (1, 0) if side.straight else (2, 0)

"""The budget of a switch in; what is too small for its ports said, with what would fit."""

from collections.abc import Iterator

from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.intent.model.qos import MOST_OVER_SUBSCRIPTION, Roce
from fabricgen.lossless.budget import Budget
from fabricgen.lossless.memory import PortGroup
from fabricgen.lossless.remedies import remedies_within
from fabricgen.units import Bytes


def judge_budget(
    name: str, planned: Budget, pool: Bytes | None, roce: Roce, path: IntentPath, findings: Findings
) -> None:
    """Report what is too small for the ports of one kind of switch; `pool` is the one it ships."""
    if not planned.fits:
        asks = "; ".join(item.arithmetic for item in planned.contributions)
        findings.error(
            Code.BUFFER_EXCEEDED,
            f"{name}: the headroom does not fit, {int(planned.missing):,} bytes are missing: "
            f"{asks}",
            path,
            "; or ".join(remedy.sentence for remedy in planned.remedies),
        )
    groups = tuple(item.group for item in planned.contributions)
    total = sum(group.lossless_groups * group.headroom for group in groups)
    if pool and total > pool * roce.over_subscription:
        asks = " + ".join(map(_asked, groups))
        findings.error(
            Code.BUFFER_EXCEEDED,
            f"{name}: the headroom is {total / pool:.1f} times its pool of {int(pool):,} "
            f"bytes, more than {roce.over_subscription}: {asks} = {total:,}",
            path,
            "; or ".join(_ways(groups, pool, roce, total)),
        )


def _asked(group: PortGroup) -> str:
    each = f"{group.classes} classes x " if group.classes > 1 else ""
    return f"{group.count} x {each}{group.headroom:,} ({group.speed} at {group.length} m)"


def _ways(groups: tuple[PortGroup, ...], pool: Bytes, roce: Roce, total: int) -> Iterator[str]:
    """Say what would ask for no more than the pool may be over-subscribed; gentlest first."""
    allowed = pool * roce.over_subscription
    if roce.storage is not None and total <= 2 * allowed:
        yield "leave out roce.storage"
    yield from (remedy.sentence for remedy in remedies_within(groups, allowed))
    ratio = -(-total // pool)
    if ratio <= MOST_OVER_SUBSCRIPTION:
        yield f"roce.over_subscription: {ratio}, where so few of them fill at once"

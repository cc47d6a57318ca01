"""Limit the time without a flow after a failure by the promises of the site."""

from collections.abc import Iterable, Iterator, Sequence

from fabricgen.model.fabric.failures import Fails, Promise
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic, Role
from fabricgen.plan.acceptance.row import Measure, Tool

_FAILS = {
    Fails.LINK: "a cable between two switches is pulled",
    Fails.SERVER_LINK: "a cable of a server's bond is pulled",
    Fails.LEAF: "a leaf loses power, between servers with a bond",
    Fails.SPINE: "a spine loses power",
    Fails.SUPERSPINE: "a superspine loses power",
}
_TENANT = "tenant"


def recoveries(fabric: Fabric, promises: Sequence[Promise]) -> Iterator[Measure]:
    """Yield a row for a failed cable between switches, and for each other promised failure."""
    for kind in _possible(fabric):
        told = [each for each in promises if kind in each.after and _limits(each, fabric)]
        if told or kind is Fails.LINK:
            yield _row(fabric, kind, told)


def without_row(site: Site) -> Iterator[str]:
    """Yield each promised recovery time that is the limit of no row."""
    for promise in site.failures.promises:
        kinds = {
            kind
            for fabric in site.fabrics
            if _limits(promise, fabric)
            for kind in _possible(fabric)
        }
        if promise.within is not None and not kinds & promise.after:
            what = "the flows of a tenant" if promise.kind == _TENANT else "the failures in `after`"
            yield f"promise {promise.name}: no row measures {what}"


def _limits(promise: Promise, fabric: Fabric) -> bool:
    """Return whether a promise is a recovery time of a whole fabric or of its rails."""
    whole = promise.kind != _TENANT and promise.of == fabric.name
    return whole and promise.within is not None


def _possible(fabric: Fabric) -> Iterator[Fails]:
    """Yield the failures after which another path may carry a flow."""
    roles = {each.role for each in fabric.topology.switches} - {Role.LEAF}
    if roles:
        yield Fails.LINK
    ends = (link.lower_port for link in fabric.topology.links)
    if any(isinstance(end, Nic) and end.bond != "none" for end in ends):
        yield from (Fails.SERVER_LINK, Fails.LEAF)
    yield from (kind for kind in (Fails.SPINE, Fails.SUPERSPINE) if kind.value in roles)


def _row(fabric: Fabric, kind: Fails, told: Iterable[Promise]) -> Measure:
    strictest = min(told, key=lambda each: each.within or 0, default=None)
    most, basis = None, _unpromised(fabric)
    if strictest is not None and strictest.within is not None:
        most = float(strictest.within)
        basis = f"promise {strictest.name} of the intent: {strictest.within} ms"
    return Measure(
        name=f"{fabric.name}-recovery" + ("" if kind is Fails.LINK else f"-{kind}"),
        fabric=fabric.name,
        what=f"longest gap of a flow after {_FAILS[kind]}",
        tool=Tool.FAILURE,
        unit="ms",
        most=most,
        basis=basis,
    )


def _unpromised(fabric: Fabric) -> str:
    bfd = fabric.routing.bfd
    if bfd is None:
        return "recorded: the fabric has no BFD, so the hold timer of BGP decides"
    return (
        f"recorded: BFD ends a session after {int(bfd.interval) * bfd.multiplier} ms, and the "
        "update of the forwarding table has no source"
    )

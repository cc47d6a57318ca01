"""Compare the time that data needs between sites with its window."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.dci import Dci, Distribution, Transfer
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at

_HINT = "use a longer window, a higher rate, or less data"


def judge_transfers(
    name: str, link: Dci, fabrics: Mapping[str, Frontend], findings: Findings
) -> None:
    """Report transfers that exceed their window, and windows without a rate."""
    if not link.transfers:
        if link.rate is not None and link.gre is not None:
            sentence = "a `rate` of tunnels has no effect without `transfers`"
            hint = "set the `rate` of the edge link that carries the tunnels to limit its port"
            findings.warn(Code.BAD_VALUE, sentence, at("dci", name, "rate"), hint)
        return
    if link.rate is None:
        sentence = "`transfers` need the `rate` of the path between the sites"
        findings.error(Code.MISSING_KEY, sentence, at("dci", name, "transfers"))
        return
    for what, transfer in link.transfers.items():
        with findings.going_on():
            _judge_transfer(name, what, link, transfer, fabrics, findings)


def _judge_transfer(
    name: str,
    what: str,
    link: Dci,
    transfer: Transfer,
    fabrics: Mapping[str, Frontend],
    findings: Findings,
) -> None:
    """Report a transfer that exceeds its window at the share of its class."""
    assert link.rate is not None
    here = at("dci", name, "transfers", what)
    share = _share(link, transfer.qos, fabrics, (*here, "qos"), findings)
    if share is None:
        return
    rate = link.rate / 1e9
    needed = hours_of(transfer, rate * share / 100)
    if needed > transfer.hours:
        part = f" x {share} %" if transfer.qos is not None else ""
        findings.error(
            Code.DEMAND_ABOVE_CAPACITY,
            f"{what} takes {needed:,.1f} hours over {name}, but its window is {transfer.hours:g}: "
            f"{transfer.terabytes:g} TB x 8000 / ({rate:g} Gb/s{part} x {transfer.efficiency:g} x "
            "3600)",
            here,
            _HINT,
        )


def _share(
    link: Dci,
    qos: str | None,
    fabrics: Mapping[str, Frontend],
    path: IntentPath,
    findings: Findings,
) -> int | None:
    """Return the smaller share of a class at both ends of a link; None if one has no such class."""
    share = 100
    for fabric in link.ends if qos is not None else ():
        classes = fabrics[fabric].unless_refused("classes") or {}
        if qos not in classes:
            findings.unknown(f"the {fabric} has no class {qos!r}", path, str(qos), classes)
            return None
        share = min(share, classes[str(qos)].share)
    return share


def hours_of(transfer: Transfer | Distribution, gigabits: float) -> float:
    """Return how many hours it takes at so many Gb/s: TB x 8000 / (Gb/s x efficiency x 3600)."""
    return transfer.terabytes * 8000 / (gigabits * transfer.efficiency * 3600)


class _Copy(NamedTuple):
    """A copy for one site, over some links. `share`: of its class there, in percent."""

    what: str
    path: IntentPath
    words: Distribution
    links: tuple[str, ...]
    share: int

    @property
    def way(self) -> tuple[str, str]:
        """Return what copies share with others over the same links: the direction and the class."""
        return self.words.source, self.words.qos

    def hours(self, gigabits: float) -> float:
        """Return the hours that it takes at the rate of its links."""
        return hours_of(self.words, gigabits * self.share / 100)


def judge_distribution(
    intent: Intent,
    links: Mapping[str, Dci],
    fabrics: Mapping[str, Frontend],
    findings: Findings,
) -> None:
    """Report copies that exceed their window, after those over the same links that end earlier."""
    told: dict[str, Distribution] = intent.unless_refused("distribution") or {}
    every: list[_Copy] = []
    for what, words in told.items():
        with findings.going_on():
            every += _copies(what, words, links, fabrics, findings) if words.whole else ()
    every.sort(key=lambda copy: copy.words.hours)
    late: set[IntentPath] = set()
    for names, way in dict.fromkeys((copy.links, copy.way) for copy in every):
        gigabits = sum(int(links[name].rate or 0) for name in names) / 1e9
        beside = [each for each in every if each.way == way and set(each.links) <= set(names)]
        for place, copy in enumerate(beside, 1):
            if copy.path not in late and _is_late(beside[:place], names, gigabits, findings):
                late.add(copy.path)


def _is_late(
    copies: list[_Copy], names: tuple[str, ...], gigabits: float, findings: Findings
) -> bool:
    """Report the last copy if all copies exceed its window; return whether they do."""
    last = copies[-1]
    hours = [copy.hours(gigabits) for copy in copies]
    if sum(hours) <= last.words.hours:
        return False
    words = last.words
    sum_ = (
        f"{words.terabytes:g} TB x 8000 / ({gigabits:g} Gb/s x {last.share} % x "
        f"{words.efficiency:g} x 3600)"
    )
    if copies[1:]:
        sum_ = " + ".join(
            f"{each:,.1f} for {copy.what}" for copy, each in zip(copies, hours, strict=True)
        )
    findings.error(
        Code.DEMAND_ABOVE_CAPACITY,
        f"{last.what} takes {sum(hours):,.1f} hours over {' and '.join(names)}, but its "
        f"window is {words.hours:g}: {sum_}",
        last.path,
        _HINT,
    )
    return True


def _copies(
    what: str,
    words: Distribution,
    links: Mapping[str, Dci],
    fabrics: Mapping[str, Frontend],
    findings: Findings,
) -> Iterator[_Copy]:
    """Yield the copy for each site over the preferred links that carry its VRF."""
    here = at("distribution", what)
    if words.source not in fabrics:
        findings.unknown(
            f"no fabric of kind evpn is named {words.source!r}",
            (*here, "source"),
            words.source,
            fabrics,
        )
        return
    for place, site in enumerate(words.sites):
        path = (*here, "sites", place)
        if site not in fabrics or site == words.source:
            message = f"no other fabric of kind evpn is named {site!r}"
            findings.unknown(message, path, site, fabrics.keys() - {words.source})
            continue
        used = preferred(links, words.source, site, words.vrf)
        if not used:
            sentence = f"no link of `dci` joins VRF {words.vrf} of {words.source} and {site}"
            findings.error(Code.UNKNOWN_REFERENCE, sentence, path)
            continue
        without = next((name for name in used if links[name].rate is None), None)
        if without is not None:
            sentence = f"{what} needs the `rate` of the link {without}"
            findings.error(Code.MISSING_KEY, sentence, at("dci", without))
            continue
        qos = (*here, "qos")
        shares = [_share(links[name], words.qos, fabrics, qos, findings) for name in used]
        if None not in shares:
            share = min(each for each in shares if each is not None)
            yield _Copy(what, path, words, used, share)


def joining(links: Mapping[str, Dci], one: str, other: str, vrf: str) -> tuple[str, ...]:
    """Return the links that join a VRF of two fabrics."""
    return tuple(
        name
        for name, link in links.items()
        if link.whole and {one, other} == link.ends.keys() and vrf in link.vrfs
    )


def preferred(links: Mapping[str, Dci], one: str, other: str, vrf: str) -> tuple[str, ...]:
    """Return the links between two fabrics that a VRF uses while all are up."""
    every = joining(links, one, other, vrf)
    primary = tuple(name for name in every if links[name].prefer == "primary")
    return primary or every

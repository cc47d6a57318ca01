"""What two sites keep of the ways between them and promises about that in; what is broken out."""

from collections.abc import Iterator, Mapping, Sequence

from fabricgen.model.fabric.survive import Promise
from fabricgen.prove.failures.across import Crossed
from fabricgen.prove.failures.verdicts import Verdict, called, percent

Surveyed = Mapping[tuple[str, str], Sequence["Crossed"]]


def verdict_between(surveyed: Surveyed, promise: Promise) -> Verdict:
    """Judge a promise about two sites."""
    rows = [
        row
        for sites, mine in surveyed.items()
        if set(sites) == set(promise.between)
        for row in mine
        if row.failures[0].kind in promise.after
    ]
    broken = tuple(text for row in rows for text in _break(promise, row))
    return Verdict(promise=promise, judged=sum(len(row.failures) for row in rows), broken=broken)


def _break(promise: Promise, row: Crossed) -> Iterator[str]:
    """Say how a failure breaks a promise."""
    faults = []
    for what, kept in row.kept.items():
        if promise.stays and kept.lost and what.within is not None:
            faults.append(f"{what.label} has no way")
        elif promise.keeps is not None and kept.share < promise.keeps:
            faults.append(f"{what.label} keeps {percent(kept.share)}")
    if faults:
        yield f"without {called(row.failures)} {', '.join(faults)}"

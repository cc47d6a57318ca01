"""Applies the gates of a site to a review and returns why a change is refused."""

from collections.abc import Collection, Iterator, Sequence

from fabricgen.core.tree.risk import named
from fabricgen.core.units import counted, shortened
from fabricgen.intent.model.review import ReviewRules, steps_of
from fabricgen.review.model import INTENT, RELEASE, Cause, Hit, Loss, Review
from fabricgen.review.side import Side

_SHOWN = 3
_HOSTS = "hosts/"
_KEY = "review"


def rules_of(side: Side) -> ReviewRules | None:
    """Return the gates of a side; None without an intent or gates."""
    intent = side.loaded.intent if side.loaded is not None else None
    return intent.unless_refused("review") if intent is not None else None


def refused(
    review: Review, rules: ReviewRules | None, approvers: Collection[str] = ()
) -> tuple[str, ...]:
    """Return why the gates refuse a change; empty if none does.

    The rules come from side A, so a change cannot relax its own rules. A frozen or owned key is
    touched if the change is in it or above it, or if a switch of its fabric changes. A frozen
    tenant is also touched if one of its servers loses something.

    Args:
        review: The review.
        rules: Gates of side A, or None.
        approvers: Owners who approved, for example `@net-acme`.
    """
    if rules is None:
        return ()
    return (
        *_over_bar(review, rules),
        *_frozen(review, rules),
        *_unapproved(review, rules, approvers),
        *_own_rules(review, rules, approvers),
        *_over_limits(review, rules),
    )


def _over_bar(review: Review, rules: ReviewRules) -> Iterator[str]:
    if rules.fail_on is None:
        return
    bar = named(rules.fail_on)
    if number := sum(count for risk, count in review.radius.items() if risk >= bar):
        devices = f"{number:,} switches or servers" if number > 1 else "1 switch or server"
        yield f"review.fail_on: {devices} change with risk {bar.word} or higher"


def _frozen(review: Review, rules: ReviewRules) -> Iterator[str]:
    for place in rules.freeze:
        steps = steps_of(place)
        if why := _touched(review, steps) or _tenant_hit(review, steps):
            yield f"review.freeze: {place} is frozen, but {why}"


def _unapproved(review: Review, rules: ReviewRules, approvers: Collection[str]) -> Iterator[str]:
    for place, owners in rules.owners.items():
        steps = steps_of(place)
        if steps[0] == _KEY or not {*owners}.isdisjoint(approvers):
            continue
        if why := _touched(review, steps):
            yield (
                f"review.owners: {place} needs the approval of {' or '.join(owners)}, because {why}"
            )


def _own_rules(review: Review, rules: ReviewRules, approvers: Collection[str]) -> Iterator[str]:
    """Yield the refusal of a change of the gates, unless one of their owners approves."""
    changed = [each for each in _of_intent(review) if each.path[:1] == (_KEY,)]
    if not changed:
        return
    owners = [
        owner for place, each in rules.owners.items() if steps_of(place)[0] == _KEY
        for owner in each
    ]  # fmt: skip
    if not {*owners}.isdisjoint(approvers):
        return
    what = _spelled(changed[0])
    if owners:
        needs = f"needs the approval of {' or '.join(dict.fromkeys(owners))}"
        yield f"review: the change edits its own gates ({what}) and {needs}"
    else:
        yield f"review: the change edits its own gates ({what}), and `owners` has no `review`"


def _over_limits(review: Review, rules: ReviewRules) -> Iterator[str]:
    limits = rules.limits
    switches = [folder for folder in review.changed if not folder.startswith(_HOSTS)]
    yield from _over("switches", len(switches), limits.switches, shortened(switches, _SHOWN))
    if limits.servers is None and limits.gpus is None:
        return
    if review.hits is None:
        keys = [key for key in ("servers", "gpus") if getattr(limits, key) is not None]
        names = " and ".join(f"review.limits.{key}" for key in keys)
        yield f"{names}: not known who is hit, so the limit cannot be checked"
        return
    servers, gpus = _losing(review.hits)
    yield from _over("servers", len(servers), limits.servers, "servers lose something")
    yield from _over("gpus", gpus, limits.gpus, "GPUs are in servers that lose something")


def _over(key: str, number: int, limit: int | None, what: str) -> Iterator[str]:
    if limit is not None and number > limit:
        yield f"review.limits.{key}: {number:,} is more than {limit:,} ({what})"


def _losing(hits: Sequence[Hit]) -> tuple[set[str], int]:
    """Return the servers that lose something, and an upper bound of their GPUs."""
    servers: set[str] = set()
    gpus = 0
    for hit in sorted(hits, key=lambda each: -len(each.servers)):
        if hit.loss > Loss.NOTHING and not servers.issuperset(hit.servers):
            servers.update(hit.servers)
            gpus += hit.gpus
    return servers, gpus


def _of_intent(review: Review) -> Iterator[Cause]:
    yield from (each for each in review.causes if each.kind in (INTENT, RELEASE))


def _touched(review: Review, steps: tuple[str, ...]) -> str:
    """Return why a change touches a key; empty if it does not."""
    for cause in _of_intent(review):
        if all(one == str(other) for one, other in zip(steps, cause.path, strict=False)):
            return f"{_spelled(cause)} changes"
    fabric = _fabric(steps)
    folders = [each for each in review.changed if fabric and each.startswith(f"{fabric}/")]
    if folders:
        size = counted(len(folders), "device")
        return f"{size} of the fabric change: {shortened(folders, _SHOWN)}"
    if steps[0] == "tenants" and steps[1:]:
        named_so = [each for each in review.effects if each.kind == "tenant"]
        if any(each.name == steps[1] for each in named_so):
            return f"tenant {steps[1]} changes"
    return ""


def _fabric(steps: tuple[str, ...]) -> str:
    """Return the fabric of a key without further keys; else empty."""
    if steps in (("backend",), ("frontend",)):
        return steps[0]
    return steps[1] if steps[0] == "fabrics" and len(steps) == 2 else ""


def _tenant_hit(review: Review, steps: tuple[str, ...]) -> str:
    if steps[0] != "tenants":
        return ""
    for hit in review.hits or ():
        mine = [name for name in hit.tenants if steps[1:] in ((), (name,))]
        if mine and hit.loss > Loss.NOTHING:
            return f"{counted(len(hit.servers), 'server')} of {', '.join(mine)}: {hit.text}"
    if review.hits is None and review.changed:
        return "who is hit is not known"
    return ""


def _spelled(cause: Cause) -> str:
    place = cause.new or cause.old
    where = f" ({place.file}:{place.line})" if place is not None else ""
    return f"{'.'.join(map(str, cause.path))}{where}"

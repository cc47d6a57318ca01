"""Words the parts of a review: effects, causes, losses, order and blocks of changed text."""

from collections.abc import Iterable, Iterator, Sequence

from fabricgen.core.diagnostics import Position, dotted
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted, natural, shortened
from fabricgen.review.model import Block, Cause, Effect, Hit, Loss, Order, Review, Shape

NAMES = 4
_ROWS = 6
_VALUES = 5
_KEY = ": "


def what(review: Review) -> str:
    """Return the leading effects in one sentence."""
    leading = [each for each in review.effects if not each.derived] or [*review.effects]
    if not leading:
        return "no change" if not review.blocks else "only the order of lines or comments differ"
    more = f"; {counted(len(leading) - 2, 'more effect')}" if len(leading) > 2 else ""
    return clean("; ".join(each.text for each in leading[:2]) + more)


def risk(review: Review) -> str:
    """Return how many devices change, by their highest risk."""
    noun = "switches and servers"
    if not review.blocks:
        return f"no differences in {review.devices:,} {noun}"
    by_risk = ", ".join(f"{n:,} {each.word}" for each, n in review.radius.items() if n)
    added = sum(block.added for block in review.blocks)
    removed = sum(block.removed for block in review.blocks)
    return (
        f"{len(review.changed):,} of {review.devices:,} {noun} change: {by_risk} "
        f"(+{added:,} -{removed:,} lines)"
    )


def who(review: Review) -> list[str]:
    """Return the losses, the worst first, one line each."""
    if review.hits is None:
        return ["not known: a side without an intent does not show who is attached"]
    hits = [each for each in review.hits if each.loss is not Loss.NOTHING]
    return [hit(each) for each in hits] or ["nobody"]


def hit(each: Hit) -> str:
    """Return one loss with its servers, duration and the drain that avoids it."""
    owners = [
        *(f"tenant {name}" for name in each.tenants[:NAMES]),
        *(f"job {name}" for name in each.jobs[:NAMES]),
        *([f"rail {', '.join(map(str, each.rails))}"] if each.rails else []),
    ]
    gpus = f", {counted(each.gpus, 'GPU')}" if each.gpus else ""
    number = "" if len(each.servers) == 1 else f"{counted(len(each.servers), 'server')}: "
    names = f"{number}{shortened(natural(each.servers), NAMES)}"
    inside = (
        f" ({'; '.join(owners)}{gpus})"
        if owners
        else gpus.replace(", ", " (", 1) + ")" * bool(gpus)
    )
    lasts = f" Duration: {each.lasts}." if each.lasts else ""
    drain = f" {each.drain[:1].upper()}{each.drain[1:].rstrip('.')}." if each.drain else ""
    return clean(f"{names}{inside}: {each.text.rstrip('.')}.{lasts}{drain}")


def order(told: Order | None) -> list[str]:
    """Return the order of a push in at most a few sentences."""
    if told is None:
        return ["not known: a side without an intent has no order"]
    if told.unknown and not told.batches:
        return [clean(f"not known: {told.unknown}")]
    if not told.batches:
        return ["no switch changes"]
    fabrics: dict[str, list[int]] = {}
    for batch in told.batches:
        fabrics.setdefault(batch.fabric, []).append(len(batch.switches))
    sizes = (
        f"{name} in {counted(len(each), 'batch')} of {', '.join(map(str, each[:NAMES]))}"
        f"{' …' if len(each) > NAMES else ''}"
        for name, each in fabrics.items()
    )
    first = f"{'; '.join(sizes)}, first {told.batches[0].switches[0]}"
    unknown = [f"not known: {told.unknown}"] if told.unknown else []
    return [clean(line) for line in (first, *told.first, *told.together, *unknown)]


def cause(each: Cause, *, places: bool = True) -> str:
    """Return a cause: `tenants.acme.vlan 300 → 310 (tenants/acme.yaml:7)`."""
    name = (
        dotted(each.path) if each.kind in ("intent", "release") else " ".join(map(str, each.path))
    )
    kind = "" if each.kind in ("intent", "release") else f"{each.kind} "
    if not each.before:
        change = f"added: {each.after}"
    elif not each.after:
        change = f"removed: {each.before}"
    else:
        change = f"{each.before} → {each.after}"
    where = each.new or each.old
    place = f" ({_place(where)})" if where is not None and places else ""
    return clean(f"{kind}{name} {change}{place}")


def _place(position: Position) -> str:
    return f"{position.file}:{position.line}"


def effect(each: Effect) -> str:
    """Return an effect with the devices whose files change by it."""
    if not each.on:
        return clean(each.text)
    names = natural(each.on)
    on = names[0] if len(names) == 1 else f"{len(names)} devices: {shortened(names, 3)}"
    attached = each.kind in ("attachment", "server")
    return clean(each.text if attached else f"{each.text}, on {on}")


def risk_of(each: Effect) -> str:
    """Return the risk class of an effect; empty for an effect on the model."""
    return each.risk.word if each.risk is not None else ""


def rated(each: Effect) -> str:
    """Return an effect after its risk class."""
    return ": ".join(filter(None, (risk_of(each), effect(each))))


def by_cause(review: Review) -> list[tuple[str, list[Effect]]]:
    """Return the effects under their causes, in the order of the effects."""
    groups: dict[tuple[int, ...], list[Effect]] = {}
    for each in review.effects:
        groups.setdefault(each.causes, []).append(each)
    return [(_heading(review, causes), effects) for causes, effects in groups.items()]


def _heading(review: Review, causes: Sequence[int]) -> str:
    if not causes:
        return "cause not known" if review.causes else ""
    words = [cause(review.causes[number]) for number in causes[:NAMES]]
    more = f" and {len(causes) - NAMES} more keys" if len(causes) > NAMES else ""
    return "; ".join(words) + more


def block_title(block: Block) -> str:
    """Return the devices of a block with its risk and number of lines."""
    names = natural(folder.rpartition("/")[2] for folder in block.folders)
    number = f"{len(names)}x " if len(names) > 1 else ""
    status = "" if block.status == "changed" else f"{block.status}: "
    return clean(
        f"{status}{number}{shortened(names, NAMES)} ({block.risk.word}, +{block.added:,} "
        f"-{block.removed:,} lines)"
    )


def compact(shape: Shape) -> str:
    """Return a shape on one line: its section, its lines, and how often it occurs."""
    sign = "+" if not shape.removed else "-" if not shape.added else "!"
    place = " > ".join(each.rstrip(":") for each in shape.place)
    lines = "; ".join(_merged(shape))
    times = f"  (x{len(shape.rows)})" if len(shape.rows) > 1 else ""
    joined = f"{place}{': ' if place and lines else ''}{lines}"
    return clean(f"{sign} {joined}{times}")


def _merged(shape: Shape) -> Iterator[str]:
    """Yield the lines of a shape; a line whose value changed is one."""
    ones, others = ({_name(line): line for line in lines} for lines in (shape.removed, shape.added))
    if len(ones) != len(shape.removed) or len(others) != len(shape.added):
        ones, others = ({line: line for line in lines} for lines in (shape.removed, shape.added))
    for name in dict.fromkeys((*ones, *others)):
        old, new = ones.get(name), others.get(name)
        if old is not None and new is not None:
            yield f"{old.strip()} → {new.strip()[len(name) :].strip(': ')}"
        elif (line := new if new is not None else old) is not None and line.strip():
            sign = "" if not (shape.removed and shape.added) else "+ " if new is not None else "- "
            yield f"{sign}{line.strip()}"


def _name(line: str) -> str:
    """Return the words before the value of a line."""
    text = line.strip()
    name = text.partition(_KEY)[0]
    return name if name != text else text.rpartition(" ")[0] or text


def values(shape: Shape, most: int = _VALUES) -> str:
    """Return the values of each placeholder on one line; empty without any."""
    columns = [*zip(*shape.rows, strict=True)][1:]
    parts = []
    for number, column in enumerate(columns, 1):
        different = natural(dict.fromkeys(column))
        parts.append(f"{{{number}}} = {shortened(different, most)}")
    return clean("; ".join(parts))


def table(shape: Shape, most: int | None = _ROWS) -> list[str]:
    """Return one line for each place of a shape: the device and its values."""
    rows = shape.rows if most is None else shape.rows[:most]
    lines = [clean(f"      {'  '.join(row)}") for row in rows if len(row) > 1]
    if lines and len(rows) < len(shape.rows):
        lines.append(f"      and {len(shape.rows) - len(rows)} more places (--full)")
    return lines


def lines_of(shape: Shape) -> list[str]:
    """Return a shape as lines of a diff below its section."""
    place = " > ".join(shape.place) or "top level"
    times = f" ({counted(len(shape.rows), 'place')})" if len(shape.rows) > 1 else ""
    body = [f"-   {line}" for line in shape.removed if line]
    body += [f"+   {line}" for line in shape.added if line]
    sign = " " if not shape.whole else "+" if shape.added else "-"
    return [clean(line) for line in (f"{sign} {shape.file}: {place}{times}", *body)]


def folders(blocks: Iterable[Block]) -> list[str]:
    """Return the names of the devices of some blocks."""
    return natural(folder.rpartition("/")[2] for block in blocks for folder in block.folders)

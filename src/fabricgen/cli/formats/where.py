"""Prints the cables at one port as text."""

from collections.abc import Iterable, Iterator, Mapping


def text(cables: Iterable[Mapping[str, object]]) -> str:
    """Return each cable: what it is, both ends from port to port, and the path between them."""
    return "\n".join("\n".join(_lines(facts)) + "\n" for facts in cables)


def _lines(facts: Mapping[str, object]) -> Iterator[str]:
    yield f"{facts['id']}: {facts['speed']} cable of the {facts['fabric']}"
    rows = [*_end(facts, "a"), *_between(facts), *_end(facts, "b"), *_orders(facts)]
    yield from (f"  {name:<11} {fact}" for name, fact in rows if fact)


def _end(facts: Mapping[str, object], side: str) -> Iterator[tuple[str, str]]:
    """Yield the port, its place, its optic, its label and its panel; seen from the cable."""
    port, interface = (facts.get(f"{side}_{name}") for name in ("port", "interface"))
    named = f"{port} ({interface})" if interface not in (None, port) else f"{port or ''}"
    place = _place(facts.get(f"{side}_rack"), facts.get(f"{side}_unit"))
    optic = facts.get(f"{side}_optic")
    said = (f"{facts[f'{side}_device']} {named}".strip(), place, f"{optic or ''}")
    yield f"end {side}", ", ".join(filter(None, said))
    yield "label", f"{facts[f'{side}_label']}"
    if (panel := facts.get(f"{side}_panel")) is not None:
        unit, at = facts[f"{side}_panel_unit"], facts[f"{side}_panel_port"]
        cord = facts[f"{side}_cord_m"]
        yield "panel", f"{panel} port {at}, U{unit}, cord of {cord} m"


def _place(rack: object, unit: object) -> str:
    return f"rack {rack}" + (f" U{unit}" if unit else "") if rack else ""


def _between(facts: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    parts = facts["parts"]
    assert isinstance(parts, list)
    yield "parts", ", ".join(parts)
    length, way = facts.get("length_m"), facts.get("way_m")
    yield "length", f"{length} m, path {way} m" if length else "not known"
    yield "trunk", f"{facts.get('trunks', '')}"
    yield "crossing", f"{facts.get('crossings', '')}"
    if "loss_db" in facts:
        yield "loss", f"{facts['loss_db']} dB, budget {facts['budget_db']}"


def _orders(facts: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    orders = (facts.get(f"{side}_work_order") for side in "ab")
    yield "work order", ", ".join(dict.fromkeys(f"{each}" for each in orders if each))

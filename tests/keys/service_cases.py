"""Keys of a fabric's own services, whose records need all of their required keys."""

from tests.keys.case import Case, Words, at

_PLACES = {
    ("backend",): "rails",
    ("frontend",): "tenants",
    ("fabrics", "storage"): "storage",
    ("fabrics", "oob"): "access",
}
_SFLOW: Words = {"collectors": ["10.255.15.230"], "rate": 40_000}
_VISION: Words = {"servers": ["10.255.15.231"], "port": 9911}
_CHANGES: tuple[tuple[str, Words, str, object], ...] = (
    ("sflow", _SFLOW, "collectors", ["10.255.15.232"]),
    ("sflow", _SFLOW, "rate", 60_000),
    ("sflow", _SFLOW, "drops", 100),
    ("cloudvision", _VISION, "servers", ["10.255.15.233"]),
    ("cloudvision", _VISION, "port", 9912),
)


def _cases() -> list[tuple[str, Case]]:
    """Return a case for each key of each kind of fabric; storage is any of `fabrics`."""
    found = []
    for place, site in _PLACES.items():
        name = ".".join("*" if each == "storage" else each for each in place)
        for record, given, key, value in _CHANGES:
            before = at(*place, "services", words={record: given})
            after = at(*place, "services", record, words={key: value})
            found.append((f"{name}.services.{record}.{key}", Case(site, before, after)))
    return found


CASES = _cases()

"""Keys that are bounds of a fabric: what it must carry, and how deep its buffers are at least."""

from tests.keys.case import Case, Words, at

_PURPOSES = ("ingest", "inference", "checkpoint", "storage_reads")
_TIERS = ("leaf", "spine", "superspine")
_ECN = {"minimum": 150_000, "maximum": 600_000, "probability": 30}
_BULK = {"queue": 1, "dscps": [8], "share": 20}
_FABRICS = (
    ("frontend", ("frontend",), ("tenants", "tenants", "pods")),
    ("backend", ("backend",), ("rails", "rails", "tiers")),
    ("fabrics.*", ("fabrics", "storage"), ("storage", "storage", "storage")),
    ("fabrics.oob", ("fabrics", "oob"), ("access", "access", "access")),
)
_LITTLE = {"checkpoint": "1G"}


def _demanded(site: str, fabric: str, changed: Words) -> Case:
    return Case(
        site,
        at(fabric, "demand", words=_LITTLE),
        at(fabric, "demand", words=changed),
    )


CASES: list[tuple[str, Case]] = [
    *(
        (f"{fabric}.demand.{purpose}", _demanded(site, fabric, {purpose: "9000T"}))
        for site, fabric in (("tenants", "frontend"), ("rails", "backend"))
        for purpose in _PURPOSES
    ),
    *(
        (f"{fabric}.demand.growth", _demanded(site, fabric, {"growth": 1000.0}))
        for site, fabric in (("tenants", "frontend"), ("rails", "backend"))
    ),
    *(
        (
            f"{fabric}.demand.years",
            Case(
                site,
                at(fabric, "demand", words={"checkpoint": "100G", "growth": 1000.0, "years": 2.0}),
                at(fabric, "demand", words={"years": 4.0}),
            ),
        )
        for site, fabric in (("tenants", "frontend"), ("rails", "backend"))
    ),
    *(
        (
            f"{path}.buffer_per_port.{tier}",
            Case(site, {}, at(*place, "buffer_per_port", words={tier: 1e6})),
        )
        for path, place, sites in _FABRICS
        for tier, site in zip(_TIERS, sites, strict=True)
    ),
    *(
        (
            f"frontend.classes.*.ecn.{key}",
            Case(
                "tenants",
                {"frontend": {"classes": {"bulk": {**_BULK, "ecn": _ECN}}}},
                at("frontend", "classes", "bulk", "ecn", words={key: value}),
            ),
        )
        for key, value in (("minimum", 160_000), ("maximum", 700_000), ("probability", 40))
    ),
]
JUDGED: dict[str, str] = {
    **{
        f"{fabric}.demand.{key}": "a bound that the links are judged by"
        for fabric in ("frontend", "backend")
        for key in (*_PURPOSES, "growth", "years")
    },
    **{
        f"{path}.buffer_per_port.{tier}": "a bound that the packet memory is judged by"
        for path, _, _ in _FABRICS
        for tier in _TIERS
    },
}

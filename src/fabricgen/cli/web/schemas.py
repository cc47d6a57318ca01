"""Holds the JSON Schemas of the answers below `/api/v1`."""

from __future__ import annotations

from typing import Any

from fabricgen.core.diagnostics import Severity

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
OPEN: Schema = {"type": "object"}


def ref(name: str) -> Schema:
    """Return a reference to a schema of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def array(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def mapping(values: Schema) -> Schema:
    """Return the schema of an object whose keys are names."""
    return {"type": "object", "additionalProperties": values}


def closed(optional: tuple[str, ...] = (), /, **fields: Schema) -> Schema:
    """Return the schema of an object that has these fields alone."""
    return {**grown(optional, **fields), "additionalProperties": False}


def grown(optional: tuple[str, ...] = (), /, **fields: Schema) -> Schema:
    """Return the schema of an object that may get more fields in later releases."""
    named = {name.removesuffix("_"): schema for name, schema in fields.items()}
    required = [name for name in named if name not in optional]
    return {"type": "object", "properties": named, "required": required}


_VERDICT = closed(
    outcome=TEXT,
    rule=TEXT,
    place=TEXT,
    ways=WHOLE,
    hops=array(closed(node=TEXT, act=TEXT, place=TEXT)),
)
_FILE = closed(path=TEXT, text=TEXT, executable=TRUTH)
_SERVER_PORT = closed(
    name=TEXT,
    fabric=TEXT,
    network=TEXT,
    rail=WHOLE,
    bond=TEXT,
    switch=TEXT,
    switch_port=TEXT,
    speed=TEXT,
    meters=WHOLE,
)
_IDENTITY: dict[str, Schema] = {
    "name": TEXT,
    "fabric": TEXT,
    "role": {"enum": ["leaf", "spine", "superspine"]},
    "model": TEXT,
    "platform": TEXT,
}
_GROUP = grown(
    kind=TEXT, name=TEXT, within=TEXT, keeps=NUMBER, each=NUMBER, lost=array(TEXT), gpus_hit=WHOLE
)

SCHEMAS: dict[str, Schema] = {
    "Error": closed(code=TEXT, message=TEXT, hint=TEXT),
    "Site": closed(
        name=TEXT,
        ok=TRUTH,
        findings=mapping(WHOLE),
        servers=WHOLE,
        fabrics=array(
            closed(name=TEXT, design=TEXT, lossless=TRUTH, switches=WHOLE, ratios=mapping(NUMBER))
        ),
        checks=array(closed(check=TEXT, objects=WHOLE, noun=TEXT)),
    ),
    "Finding": closed(
        ("why", "owner", "until"),
        code=TEXT,
        severity={"enum": [severity.value for severity in Severity]},
        message=TEXT,
        hint=TEXT,
        file=TEXT,
        line=WHOLE,
        column=WHOLE,
        path=TEXT,
        why=TEXT,
        owner=TEXT,
        until=TEXT,
    ),
    "Findings": closed(findings=array(ref("Finding"))),
    "Switches": closed(switches=array(closed(**_IDENTITY))),
    "Switch": closed(
        **_IDENTITY,
        place=closed(plane=WHOLE, pod=WHOLE, unit=WHOLE, index=WHOLE, group=TEXT),
        facts=grown(name=TEXT, ports=array(OPEN), sessions=array(OPEN), vlans=array(WHOLE)),
        files=array(_FILE),
    ),
    "Servers": closed(servers=array(closed(name=TEXT, kind=TEXT))),
    "Server": closed(name=TEXT, kind=TEXT, ports=array(_SERVER_PORT), files=array(_FILE)),
    "Lossless": grown(
        switches=array(
            grown(
                fabric=TEXT,
                switches=array(TEXT),
                model=TEXT,
                headroom_bytes={"type": ["integer", "null"]},
                terms=array(grown(name=TEXT, value=NUMBER, source=TEXT)),
            )
        ),
        classes=mapping(array(OPEN)),
        marking=mapping(array(OPEN)),
        round_trip_ns=mapping(grown(total=NUMBER, terms=array(OPEN))),
        oversubscription=mapping(mapping(NUMBER)),
    ),
    "Failures": grown(
        fabrics=mapping(array(grown(kind=TEXT, failures=array(TEXT), groups=array(_GROUP)))),
        recovery=mapping(array(grown(kind=TEXT, steps=array(TEXT), never=TRUTH))),
        promises=array(grown(name=TEXT, judged=WHOLE, kept=TRUTH, broken=array(TEXT))),
        between=array(OPEN),
    ),
    "Matrix": grown(
        ok=TRUTH,
        classes=WHOLE,
        networks=array(closed(from_=TEXT, to=TEXT, pairs=mapping(WHOLE), rules=mapping(TEXT))),
        findings=array(closed(code=TEXT, severity=TEXT, message=TEXT)),
    ),
    "Reachability": grown(
        ok=TRUTH,
        pairs=array(
            closed(from_=TEXT, to=TEXT, source=TEXT, target=TEXT, model=_VERDICT, files=_VERDICT)
        ),
    ),
    "Explanation": closed(
        name=TEXT,
        lines=array(
            closed(
                file=TEXT,
                number=WHOLE,
                text=TEXT,
                template=TEXT,
                numbers=mapping(TEXT),
                reasons=array(closed(rule=TEXT, places=array(closed(key=TEXT, place=TEXT)))),
            )
        ),
    ),
}
"""The schema of each answer, by name."""

"""Keys of ports and cables as they are, on a switch of each kind of fabric."""

from tests.keys.case import Case, Words, at

_PLACES = {
    "frontend": ("tenants", ("frontend",), "fe-leaf01", "29", "fe-spine1 port 9"),
    "backend": ("rails", ("backend",), "be-spine1", "1/1", "be-su01-leaf1 port 60/1"),
    "fabrics.oob": ("access", ("fabrics", "oob"), "oob-leaf01", "29", "oob-spine1 port 9"),
}


def _cases(fabric: str) -> list[tuple[str, Case]]:
    site, path, switch, port, to = _PLACES[fabric]

    def pinned(given: Words, changed: Words) -> Case:
        def words(of: Words) -> Words:
            return at(*path, "switches", switch, words={"ports": {port: of}} if of else {})

        return Case(site, words(given) if given else {}, words(changed))

    free, other = ("60/1", "61/1") if fabric == "backend" else ("20", "21")
    dead: Words = {"state": "dead", "move_to": free}

    def cable(of: Words) -> Words:
        return at(*path, "switches", switch, words={"links": {port: of}})

    elsewhere, waits = cable({"to": to}), cable({"state": "planned"})
    ports = f"{fabric}.switches.*.ports.*"
    return [
        (f"{ports}.state", pinned({}, dead)),
        (f"{ports}.move_to", pinned(dead, {"move_to": other})),
        *([] if fabric == "frontend" else [(f"{ports}.speed", pinned({}, {"speed": "40G"}))]),
        (f"{ports}.description", pinned(dead, {"description": "laser gone"})),
        (f"{fabric}.switches.*.links.*.to", Case(site, {}, elsewhere)),
        (f"{fabric}.switches.*.links.*.state", Case(site, {}, waits)),
    ]


_SPEED = "frontend.switches.*.ports.*.speed"
CASES = [
    *(case for fabric in _PLACES for case in _cases(fabric)),
    (
        _SPEED,
        Case(
            "tenants",
            {},
            at("frontend", "switches", "fe-leaf01", words={"ports": {"1": {"speed": "10G"}}}),
        ),
    ),
]
JUDGED = dict.fromkeys(
    (f"{fabric}.switches.*.ports.*.speed" for fabric in ("backend", "fabrics.oob")),
    "refused: all ports to servers have one speed there",
)
NEGOTIATED = {"linux": {_SPEED}}
"""A Linux port has no line with its speed: it takes what its far end and optics agree on."""

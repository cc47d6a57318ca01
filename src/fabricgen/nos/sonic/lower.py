"""Lowers the slice of a switch to the tables of its config_db.json."""

from fabricgen.core.because import Because
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.nos import Spell
from fabricgen.nos.sonic import balancing, ports, system, vlans
from fabricgen.nos.sonic.buffers import PortMemory, buffers, headroom_rows, port_buffers
from fabricgen.nos.sonic.carried import port_settings
from fabricgen.nos.sonic.facts import SonicFacts, sku_of, sonic_facts
from fabricgen.nos.sonic.names import layout
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.qos import Used, port_qos, qos, shapers
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.sonic.sflow import sflow
from fabricgen.nos.sonic.view import ConfigDb, Tables, joined
from fabricgen.nos.sonic.zones import zones


def lower_config_db(piece: SwitchSlice, spell: Spell) -> ConfigDb:
    """Return every table of config_db.json, in the order of the file."""
    facts = sonic_facts(piece.switch.model)
    named = list(zip(piece.interfaces, layout(piece.switch.model, piece.switch.ports), strict=True))
    return joined(
        (
            system.system(piece, facts),
            ports.ports(piece, named, spell),
            port_settings((item, names.name) for item, names in named),
            ports.interfaces(piece, named),
            ports.shares(piece, named),
            vlans.vlans(piece),
            vlans.members(piece, named),
            vlans.vrfs(piece),
            vlans.vxlan(piece),
            zones(piece, named),
            ports.neighbors(named, spell),
            balancing.hashing(piece),
            *_lossless(piece, facts, named),
            system.management(piece),
            system.services(piece.services, release_of(piece.switch.release)),
            sflow(piece, named),
            system.counters(piece),
        )
    )


def _lossless(piece: SwitchSlice, facts: SonicFacts, named: list[Named]) -> tuple[Tables, ...]:
    """Return classes and packet memory: what all ports refer to, then what each port has."""
    design = piece.qos
    if design is None:
        return ()
    used = tuple(
        Used(names.name, item.port.speed, item.rate)
        for item, names in named
        if item.use is not Use.UNUSED
    )
    lossless = bool(design.lossless)
    sku = sku_of(piece)
    rows = headroom_rows(piece, sku) if lossless else {}
    wired = tuple(
        PortMemory(
            names.name,
            item.length,
            item.use is not Use.UNUSED,
            rows.get((item.port.speed, item.length)) if item.use is not Use.UNUSED else None,
        )
        for item, names in named
    )
    kept = {row for row in rows.values() if row is not None}
    ordered = tuple(sorted(kept, key=lambda row: (row.speed, row.length)))
    alpha = piece.buffers.alpha if piece.buffers else 0
    model = (*piece.switch.because.main, "model")
    why = Because((model,), "packet memory as this model ships with SONiC")
    shared = qos(design, nvidia=facts.nvidia)
    return (
        {**shared, "SCHEDULER": {**shared["SCHEDULER"], **shapers(piece)}},
        port_qos(design, used, nvidia=facts.nvidia, laid_out=piece.switch.laid_out),
        buffers(sku, ordered, alpha, why, lossless=lossless),
        port_buffers(sku, design, wired),
    )

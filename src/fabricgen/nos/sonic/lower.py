"""Lower the slice of a switch to the tables of its config_db.json."""

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.nos import Spell
from fabricgen.nos.sonic import balancing, pairs, ports, system, vlans
from fabricgen.nos.sonic.access import control_plane
from fabricgen.nos.sonic.buffers import PortMemory, buffers, headroom_rows, port_buffers
from fabricgen.nos.sonic.carried import port_settings
from fabricgen.nos.sonic.facts import SonicFacts, sku_of, sonic_facts
from fabricgen.nos.sonic.names import layout
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.qos import Used, port_qos, qos, shapers
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.sonic.sflow import sflow
from fabricgen.nos.sonic.trimming import with_trimming
from fabricgen.nos.sonic.view import ConfigDb, Tables, joined, merged
from fabricgen.nos.sonic.zones import zones


def lower_config_db(switch_slice: SwitchSlice, spell: Spell) -> ConfigDb:
    """Return every table of config_db.json, in the order of the file."""
    facts = sonic_facts(switch_slice.switch.model)
    named = list(
        zip(
            switch_slice.interfaces,
            layout(switch_slice.switch.model, switch_slice.switch.ports),
            strict=True,
        )
    )
    return joined(
        (
            system.system(switch_slice, facts),
            pairs.with_peer_link(switch_slice, named, ports.ports(switch_slice, named, spell)),
            port_settings((item, names.name) for item, names in named),
            ports.interfaces(switch_slice, named),
            ports.shares(switch_slice, named),
            pairs.with_pair_vlan(switch_slice.pair, vlans.vlans(switch_slice)),
            vlans.members(switch_slice, named),
            vlans.vrfs(switch_slice),
            vlans.vxlan(switch_slice),
            vlans.anycast(switch_slice),
            pairs.pairs(switch_slice),
            merged(zones(switch_slice, named), control_plane(switch_slice)),
            ports.neighbors(named, spell),
            balancing.hashing(switch_slice),
            *_lossless(switch_slice, facts, named),
            system.management(switch_slice),
            system.services(switch_slice.services, release_of(switch_slice.switch.release)),
            sflow(switch_slice, named),
            system.counters(switch_slice),
        )
    )


def _lossless(
    switch_slice: SwitchSlice, facts: SonicFacts, named: list[Named]
) -> tuple[Tables, ...]:
    """Return classes and packet memory: objects that all ports reference, then each port's."""
    design = switch_slice.qos
    if design is None:
        return ()
    used = tuple(
        Used(names.name, item.port.speed, item.rate)
        for item, names in named
        if item.use is not Use.UNUSED
    )
    lossless = bool(design.lossless)
    sku = sku_of(switch_slice)
    rows = headroom_rows(switch_slice, sku) if lossless else {}
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
    alpha = switch_slice.buffers.alpha if switch_slice.buffers else 0
    model = (*switch_slice.switch.because.main, "model")
    rule = "packet memory that SONiC ships for this model"
    if sku.own:
        rule = f"packet memory with the site's own figures, not shipped by SONiC: {sku.own}"
    why = Provenance((model,), rule)
    shared = qos(design, nvidia=facts.nvidia)
    return (
        {**shared, "SCHEDULER": {**shared["SCHEDULER"], **shapers(switch_slice)}},
        port_qos(design, used, nvidia=facts.nvidia, laid_out=switch_slice.switch.laid_out),
        with_trimming(buffers(sku, ordered, alpha, why, lossless=lossless), sku, design),
        port_buffers(sku, design, wired),
    )

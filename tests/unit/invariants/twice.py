"""Faults in what one CONFIG_DB says twice, and in what alike ports and switches say."""

from tests.unit.invariants.faults import L1, Fault, put, sub

from fabricgen.core.diagnostics import Code

ROUTING = "frr.conf"
TWICE = tuple(
    Fault(name, code, site, "sonic", edit)
    for name, code, site, edit in (
        ("a number", Code.LAW_VLAN, "rails", put(L1, "VLAN", "Vlan20", vlanid="21")),
        (
            "MTU of a bundle",
            Code.LAW_BUNDLE,
            "pairs",
            put(L1, "PORTCHANNEL", "PortChannel1", mtu="1500"),
        ),
        (
            "no breakout mode",
            Code.LAW_SKU,
            "rails",
            put("be-su01-leaf1", "BREAKOUT_CFG", "Ethernet0"),
        ),
        (
            "another breakout mode",
            Code.LAW_SKU,
            "rails",
            put(L1, "BREAKOUT_CFG", "Ethernet0", brkout_mode="2x50G"),
        ),
        (
            "a strange hwsku",
            Code.LAW_SKU,
            "rails",
            put(L1, "DEVICE_METADATA", "localhost", hwsku="Arista-7050CX3-32S-X"),
        ),
        (
            "no such tunnel end",
            Code.JUDGED_TUNNEL,
            "rails",
            put(L1, "VXLAN_TUNNEL", "vtep", src_ip="10.66.0.9"),
        ),
        (
            "no BFD profile",
            Code.LAW_SESSION,
            "rails",
            sub(L1, ROUTING, "bfd profile UNDERLAY", "bfd profile OVERLAY"),
        ),
    )
) + tuple(
    Fault(name, Code.UNLIKE_ITS_CLASS, site, "sonic", edit)
    for name, site, edit in (
        ("another FEC", "rails", put("fe-spine1", "PORT", "Ethernet8", fec="none")),
        ("another alias", "rails", put("fe-spine1", "PORT", "Ethernet8", alias="Ethernet9/1")),
        ("no alias", "rails", put("fe-spine1", "PORT", "Ethernet8", alias=None)),
        ("another index", "rails", put("fe-spine1", "PORT", "Ethernet8", index="33")),
        ("another subport", "rails", put("be-spine1", "PORT", "Ethernet8", subport="2")),
        (
            "another platform",
            "rails",
            put("be-spine1", "DEVICE_METADATA", "localhost", platform="x86_64-any-r0"),
        ),
        ("another type", "rails", put(L1, "DEVICE_METADATA", "localhost", type="SpineRouter")),
        ("no type", "rails", put(L1, "DEVICE_NEIGHBOR_METADATA", "fe-spine1")),
        ("no neighbor", "rails", put(L1, "DEVICE_NEIGHBOR", "Ethernet0")),
        ("another text", "pairs", put(L1, "PORTCHANNEL", "PortChannel1", description="web0003")),
        ("an empty bundle", "pairs", put(L1, "PORTCHANNEL_MEMBER", "PortChannel1|Ethernet0")),
        ("another distinguisher", "rails", sub(L1, ROUTING, r" rd [\d.]+:20$", " rd 10.9.9.9:20")),
        ("no targets", "rails", sub(L1, ROUTING, r"^ +vni 10020\n(?: +r.*\n)+", "")),
    )
)

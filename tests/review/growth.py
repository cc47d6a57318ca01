"""Edits that add or remove servers, switches and cables, with an engineer's summaries."""

from tests.review.edit import Edit

GROWTH = (
    Edit(
        name="one server more",
        site="pairs",
        steps=(
            ("site.yaml", "count: 6\n", "count: 7\n"),
            ("racks.yaml", "count: 3, first: 4}", "count: 4, first: 4}"),
        ),
        engineer="Server web0007 is added, with a bond over fe-leaf01 and fe-leaf02 in VLANs 100 "
        "and 101 of shop. One unused port of either leaf goes into use. Nobody else is touched.",
        words=("server", "web0007", "added"),
        causes=("servers.web.count", "racks.right.contents.0.count"),
        effects=("added server web0007", "added cable frontend"),
        hit="nobody",
        extra=(
            (
                "moved server * place",
                "a rack stacks its contents in order, so two servers above the new one move up",
            ),
        ),
    ),
    Edit(
        name="the first server of a third unit",
        site="rail-optimized",
        steps=(
            ("site.yaml", "count: 128\n", "count: 129\n"),
            ("racks.yaml", "count: 32\n", "count: 33\n"),
            ("racks.yaml", "  leafs:\n    count: 2", "  leafs:\n    count: 3"),
        ),
        engineer="GPU server gpu0129 opens scalable unit 3, so the unit's eight rail leafs are new "
        "as well. The 16 spines open ports and BGP sessions towards them. Running leafs keep their "
        "configuration.",
        words=("switch", "added"),
        causes=("servers.gpu.count", "racks.gpu.count", "racks.leafs.count"),
        effects=("added server gpu0129", "added switch*", "added cable backend"),
        hit="nobody",
        extra=(
            (
                "changed queues of port ECN of queue 3",
                "the unit has the longest cables, which decide where marking begins everywhere",
            ),
        ),
        corrected="Running leafs and spines mark at 412,400 bytes instead of 407,400.",
    ),
    Edit(
        name="a leaf pair more",
        site="pairs",
        steps=(
            ("site.yaml", "arista: {leafs: 1-2}", 'arista: {leafs: "1-2,5-6"}'),
            (
                "racks.yaml",
                "- {switches: fe-leaf03}",
                ("- {switches: fe-leaf03}\n      - {switches: fe-leaf05}"),
            ),
            (
                "racks.yaml",
                "- {switches: fe-leaf04}",
                ("- {switches: fe-leaf04}\n      - {switches: fe-leaf06}"),
            ),
        ),
        engineer="Leafs fe-leaf05 and fe-leaf06 are added, with a cable to each spine. Both spines "
        "open two ports and BGP sessions to the new leafs. No running leaf changes its sessions.",
        words=("fe-leaf05", "fe-leaf06", "added"),
        causes=("frontend.leaf_groups.arista.leafs",),
        effects=(
            "added switch fe-leaf05",
            "added switch fe-leaf06",
            "added cable frontend",
        ),
        hit="nobody",
        extra=(("moved switch fe-spine? place", "the racks stack the new leafs below the spines"),),
    ),
    Edit(
        name="a spine more",
        site="tenants",
        steps=(("frontend.yaml", "count: 2}", "count: 3}"),),
        engineer="Spine fe-spine3 is added. Each of the six leafs gets one uplink and one BGP "
        "session to it. Traffic spreads over three spines instead of two.",
        words=("fe-spine3", "added"),
        causes=("frontend.spine.count",),
        effects=("added switch fe-spine3", "added cable frontend"),
        hit="nobody",
    ),
    Edit(
        name="uplinks 2 to 4",
        site="tenants",
        steps=(("frontend.yaml", "  leaf_groups:", "  links_per_spine: 2\n  leaf_groups:"),),
        engineer="Each leaf gets a second cable to both spines: 12 cables more, and 12 BGP "
        "sessions more. Cables and addresses that exist stay.",
        words=("12 cables", "frontend"),
        causes=("frontend.links_per_spine",),
        effects=("added cable frontend",),
        hit="nobody",
        extra=(("moved cable frontend", "links of a leaf to one spine have adjacent ports"),),
        lines=60,
        corrected="The second link of a spine takes the port next to the first one, so 12 cables "
        "that exist move, and their sessions with them.",
    ),
    Edit(
        name="a server moved to another leaf",
        site="pairs",
        steps=(
            (
                "site.yaml",
                "per_leaf: 4, first: 17}",
                "per_leaf: 4, first: 17,\n              moved: {2: {leaf: 4, place: 17}}}",
            ),
        ),
        engineer="build0002 moves from fe-leaf03 to fe-leaf04, so its cable moves. Its old port "
        "closes and its new one opens in VLAN 100. The server is off the network while it moves.",
        words=("build0002", "fe-leaf03", "fe-leaf04"),
        causes=("servers.build.ports.front.moved",),
        effects=("moved server build0002 leafs in frontend", "moved cable frontend"),
        hit="build0002 loses the frontend while it moves",
    ),
    Edit(
        name="a server removed",
        site="rail-only",
        steps=(("site.yaml", "count: 32", "count: 31"),),
        engineer="GPU server gpu0032 leaves the site. One port of each of the four rail leafs "
        "closes, and four cables come out.",
        words=("server", "gpu0032", "removed"),
        causes=("servers.gpu.count",),
        effects=("removed server gpu0032", "removed cable backend"),
        hit="gpu0032 leaves the site, with 4 GPUs",
    ),
)

"""Edits in the life of a switch, with an engineer's summaries."""

from tests.review.edit import Edit

_GROUPS = "  leaf_groups:"


def _switch(name: str, settings: str) -> tuple[str, str, str]:
    return ("frontend.yaml", _GROUPS, f"  switches: {{{name}: {{{settings}}}}}\n{_GROUPS}")


_DEBIAN = (
    "site.yaml",
    "  leaf: {model: 7050CX3-32S, platform: linux, release: debian13}",
    "  leaf: {model: 7050CX3-32S, platform: linux, release: debian12}",
)
LIFECYCLE = (
    Edit(
        name="a drained spine",
        site="tenants",
        steps=(_switch("fe-spine1", "state: drained"),),
        engineer="Spine fe-spine1 is drained: its routes are made unattractive, so that all "
        "traffic takes fe-spine2. The fabric has half of its bandwidth until the drain ends.",
        words=("fe-spine1", "drained"),
        causes=("frontend.switches",),
        effects=("changed switch fe-spine1 state",),
        hit="nobody is cut off; every leaf has half of its uplink bandwidth",
    ),
    Edit(
        name="a replaced switch",
        site="tenants",
        given=(_switch("fe-leaf03", "serial: JPE21370001"),),
        steps=(("frontend.yaml", "JPE21370001", "JPE21370002"),),
        engineer="fe-leaf03 is replaced by the device with serial JPE21370002. Its configuration "
        "stays the same. Its servers are off the network during the swap.",
        words=("fe-leaf03", "replaced", "JPE21370002"),
        causes=("frontend.switches.fe-leaf03.serial",),
        effects=("replaced switch fe-leaf03 serial",),
        hit="16 servers of fe-leaf03, during the swap",
    ),
    Edit(
        name="a renamed switch",
        site="tenants",
        steps=(_switch("fe-spine2", "hostname: fe-spine-b, previous_name: fe-spine2"),),
        engineer="fe-spine2 is renamed fe-spine-b. Descriptions at its neighbors follow. No "
        "traffic is touched.",
        words=("fe-spine-b", "renamed", "fe-spine2"),
        causes=("frontend.switches",),
        effects=("renamed switch fe-spine-b name",),
        hit="nobody",
    ),
    Edit(
        name="another release",
        site="edge",
        given=(_DEBIAN,),
        steps=(
            (
                "site.yaml",
                "platform: linux, release: debian12",
                ("platform: linux, release: debian13"),
            ),
        ),
        engineer="Both leafs run Debian 13 instead of Debian 12. They are reinstalled one at a "
        "time, and the servers of a leaf are off the network meanwhile.",
        words=("release", "debian12", "debian13"),
        causes=("frontend.leaf.release",),
        effects=("changed switch* release",),
        hit="the servers of each leaf, while it is reinstalled",
    ),
)

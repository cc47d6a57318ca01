"""Every SONiC switch of the example sites, written, is compared and agrees with its model."""

from functools import cache
from pathlib import Path

import pytest
from tests.longer import drawn
from tests.written.sonic import commands, databases
from tests.written.sonic.served import Served, Written
from tests.written.sonic.site import Switch, switches_of

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

INTENT = Path(__file__).resolve().parents[3] / "intent"
EXAMPLES = ("full", "oob", "rail-optimized")  # neighbors run SONiC, too
RELEASE = "202511"  # the default one, which no example names


@cache
def example(name: str) -> tuple[dict[str, Switch], dict[str, Expected]]:
    """Return the SONiC switches of an example, and what the model expects of all switches."""
    compiled = compile_site(load_site(INTENT / name))
    assert compiled.site is not None
    there = [one.name for fabric in compiled.site.fabrics for one in fabric.topology.switches]
    return switches_of(compiled.site, RELEASE), expectations(compiled.site, there)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_right_switch_of_an_example_has_no_difference(redis: Served, name: str) -> None:
    found, wanted = example(name)
    assert found
    roles: set[str] = set()
    for switch in found.values():
        role = switch.name.rstrip("0123456789")
        if role in roles and not drawn(switch.name, 24):
            continue
        roles.add(role)
        made = Written(
            switch,
            wanted[switch.name],
            databases.written(switch),
            commands.written(switch),
            commands.vtysh(switch),
        )
        assert redis.look(made).unread == {}
        assert [each.sentence for each in redis.differences(made)] == []

"""What a change took away: what worked, is still configured and works no longer."""

import pytest

from fabricgen.nos.health import Health, grown, lost

BEFORE = Health(
    sessions={"default swp1": True, "default swp2": False},
    bfd={"default swp1": True},
    pairs={"leaf1": True},
    links={"swp1": True, "swp2": True},
    cables=frozenset({"swp1 spine1 swp7"}),
    routes={"default swp1 ipv4": 12, "default swp1 evpn": 0},
    errors={"swp1 rx_errors": 5},
)


def test_the_same_is_no_loss() -> None:
    """A session that was down before is not the change's doing."""
    assert lost(BEFORE, BEFORE) == ()


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (Health(sessions={"default swp1": False}), "BGP session default swp1 is down"),
        (Health(bfd={"default swp1": False}), "BFD session default swp1 is down"),
        (Health(pairs={"leaf1": False}), "MLAG pair leaf1 is down"),
        (Health(links={"swp2": False}), "port swp2 is down"),
        (Health(links={"swp1": True}), "LLDP no longer sees swp1 spine1 swp7"),
        (
            Health(sessions={"default swp1": True}),
            "BGP session default swp1 ipv4 no longer receives routes (before: 12)",
        ),
        (Health(unread=("BGP: vtysh said no",)), "could not be read: BGP: vtysh said no"),
    ],
)
def test_each_kind_of_loss_is_named(after: Health, said: str) -> None:
    """One sentence each."""
    assert said in lost(BEFORE, after)


def test_what_was_removed_is_not_lost() -> None:
    """The configuration no longer asks for it; the reviewed change says so."""
    after = Health(links={"swp2": True}, cables=frozenset())
    assert lost(BEFORE, after) == ()


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (5, ()),
        (8, ()),
        (9, ("swp1 rx_errors grew by 4",)),
        (3, ()),
        (4, ("swp1 rx_errors grew by 4",)),
    ],
)
def test_error_counters_may_grow_a_little(now: int, said: tuple[str, ...]) -> None:
    """A counter below what it was has been cleared."""
    assert grown(BEFORE, Health(errors={"swp1 rx_errors": now}), 3) == said

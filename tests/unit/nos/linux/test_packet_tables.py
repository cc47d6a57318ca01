"""What a kernel without nftables answers to nft: it has no rules, and that is known."""

import pytest

from fabricgen.nos.linux.show.filters import tables
from fabricgen.nos.questions import Answer, UnreadableError


@pytest.mark.parametrize(
    "said",
    [
        "mnl.c:60: Unable to initialize Netlink socket: Protocol not supported",
        "netlink: Error: cache initialization failed: Invalid argument",
    ],
)
def test_a_kernel_without_nftables_has_no_rules(said: str) -> None:
    assert tables(Answer(f"{said}\n", 0), ()) == {}


def test_an_unknown_answer_is_not_taken_for_no_rules() -> None:
    with pytest.raises(UnreadableError, match="Operation not permitted"):
        tables(
            Answer("netlink: Error: cache initialization failed: Operation not permitted\n", 0), ()
        )

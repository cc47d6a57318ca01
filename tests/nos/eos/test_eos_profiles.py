"""Lines of an eos.cfg in; what a QoS profile and the packet memory mean by them, line by line."""

from textwrap import indent

import pytest

from fabricgen.model.fabric.port_qos import Marks, Serving
from fabricgen.nos.eos.readback.memory import Mmu, read_mmu
from fabricgen.nos.eos.readback.profiles import Profile, read_profile

MMU = "platform trident mmu "
APPLIED = (f"{MMU}queue profile LOSSLESS apply", ())
POOL = (f"{MMU}headroom-pool limit cells 5000", ())


def profile(*lines: str, name: str = "LOSSLESS") -> tuple[str, tuple[str, ...]]:
    return f"{MMU}queue profile {name}", tuple(f"   {line}" for line in lines)


@pytest.mark.parametrize(
    ("blocks", "mmu"),
    [
        ([], Mmu()),
        ([POOL], Mmu(pool=5000)),
        ([profile("ingress headroom cells 900")], Mmu()),  # nothing applies it
        ([profile("ingress headroom cells 900"), APPLIED], Mmu(headroom=900)),
        (
            [profile("ingress threshold 1/16", "ingress headroom cells 900", "!"), APPLIED, POOL],
            Mmu(headroom=900, pool=5000, alpha=-4),
        ),
        ([profile("ingress threshold 1"), APPLIED], Mmu(alpha=0)),
        ([profile("ingress threshold 8"), APPLIED], Mmu(alpha=3)),
        ([profile("ingress threshold 1/128"), APPLIED], Mmu(alpha=-7)),
        (
            [profile("ingress threshold 3"), APPLIED],
            Mmu(faults=("EOS line of unknown meaning in a memory profile: ingress threshold 3",)),
        ),
        (
            [profile("egress cells 7", "ingress headroom cells 900"), APPLIED],
            Mmu(
                headroom=900,
                faults=("EOS line of unknown meaning in a memory profile: egress cells 7",),
            ),
        ),
        (
            [profile("ingress headroom cells 900", name="OTHER"), APPLIED],
            Mmu(faults=("the memory profile LOSSLESS is not in the file",)),
        ),
        (
            [("platform sand mmu x", ())],
            Mmu(faults=("EOS line of unknown meaning: platform sand mmu x",)),
        ),
    ],
)
def test_packet_memory_is_what_the_applied_profile_and_the_pool_say(
    blocks: list[tuple[str, tuple[str, ...]]], mmu: Mmu
) -> None:
    assert read_mmu(blocks) == mmu


def read(text: str, queue_word: str = "tx-queue") -> Profile:
    return read_profile(indent(text, "   ").splitlines(), queue_word)


WHOLE = """\
qos trust dscp
priority-flow-control on
priority-flow-control priority 3 no-drop
priority-flow-control priority 4 no-drop
priority-flow-control pause watchdog
!
tx-queue 3
   no priority
   bandwidth percent 50
   random-detect ecn minimum-threshold 150 kbytes maximum-threshold 2 mbytes max-mark-probability 20
!
tx-queue 6
   priority strict
tx-queue 1
"""
ECN = "tx-queue 3\n   random-detect ecn minimum-threshold {} maximum-threshold {} "
ECN += "max-mark-probability 5{}\n"
UNKNOWN = "EOS line of unknown meaning in a QoS profile: "


def test_a_profile_is_what_its_lines_say() -> None:
    made = read(WHOLE)
    assert (made.trust, made.pfc, made.watchdog, made.no_drop) == ("dscp", True, True, {3, 4})
    assert made.marks == {3: Marks(150_000, 2_000_000, 20)}
    assert made.served() == {
        3: Serving(strict=False, share=50),
        6: Serving(strict=True, share=None),
        7: Serving(strict=True, share=None),  # EOS's own
    }
    assert made.faults == []


def test_without_lines_nothing_is_trusted_paused_or_marked() -> None:
    made = read("")
    assert (made.trust, made.pfc, made.watchdog, made.no_drop) == (None, False, False, set())
    assert (made.marks, made.faults) == ({}, [])
    assert set(made.served()) == {7}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("qos trust dscp\nqos trust cos\n", "qos trust cos"),
        ("priority-flow-control off\n", "priority-flow-control off"),
        ("tx-queue 3\ntx-queue 3\n", "tx-queue 3"),
        ("tx-queue 7\n", "tx-queue 7"),
        ("uc-tx-queue 3\n", "uc-tx-queue 3"),
        ("tx-queue 3\n   no priority\n   priority strict\n", "priority strict"),
        ("tx-queue 3\n   bandwidth percent 5\n   bandwidth percent 6\n", "bandwidth percent 6"),
        ("tx-queue 3\nbandwidth percent 5\n", "bandwidth percent 5"),
        ("   bandwidth percent 5\n", "bandwidth percent 5"),
        ("tx-queue 3\n   shape rate 5\n", "shape rate 5"),
    ],
)
def test_a_line_that_says_otherwise_or_nothing_known_is_a_fault(text: str, line: str) -> None:
    assert read(text).faults == [UNKNOWN + line]


@pytest.mark.parametrize(
    ("low", "high", "weight", "queue", "marks"),
    [
        ("7 bytes", "9 bytes", "", "tx-queue", Marks(7, 9, 5)),
        ("7 kbytes", "9 mbytes", "", "tx-queue", Marks(7_000, 9_000_000, 5)),
        ("7 bytes", "9 bytes", " weight 0", "uc-tx-queue", Marks(7, 9, 5)),
        ("7 bytes", "9 bytes", " weight 1", "uc-tx-queue", None),
        ("7 bytes", "9 bytes", "", "uc-tx-queue", None),
        ("7 bytes", "9 bytes", " weight 0", "tx-queue", None),
        ("7 segments", "9 bytes", "", "tx-queue", None),
        ("7 bytes", "9 segments", "", "tx-queue", None),
    ],
)
def test_marking_counts_bytes_of_the_queue_as_it_is(
    low: str, high: str, weight: str, queue: str, marks: Marks | None
) -> None:
    """Queues of the models with `uc-tx-queue` average unless their weight is 0."""
    made = read(ECN.replace("tx-queue", queue).format(low, high, weight), queue)
    assert made.marks == ({} if marks is None else {3: marks})
    assert len(made.faults) == (marks is None)


def test_marking_is_said_once() -> None:
    line = ECN.format("7 bytes", "9 bytes", "")
    assert read(line + line.partition("\n")[2]).faults == [UNKNOWN + line.splitlines()[1].strip()]

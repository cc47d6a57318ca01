"""What cannot go by steps says why; what can says in a sentence what it does."""

import pytest

from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.transition import ANY_ASN, Transition
from fabricgen.nos.features import Unsupported
from fabricgen.operate.deploy.coordination.agreement import Course, End, Term
from fabricgen.operate.deploy.coordination.steps import next_step


def end(switch: str, was: Value | None, will: Value | None, *, outside: bool = False) -> End:
    return End(switch=switch, was=was, will=will, outside=outside)


def asn(owner: End, peer: End) -> Term:
    return Term(fabric="frontend", kind="link", word="asn", of=owner.switch, ends=(owner, peer))


def vlan(*ends: End) -> Term:
    return Term(fabric="frontend", kind="vlan", word="vni", of="10", ends=ends)


def segment(leaf: str, was: str, will: str, vnis: tuple[int, int] = (10, 10)) -> End:
    """Return a leaf that imports and exports targets of these ASNs."""
    before, after = (
        (str(vni), *((f"{text}:{vni}",),) * 2) for text, vni in zip((was, will), vnis, strict=True)
    )
    return end(leaf, before, after)


def able(_: str) -> None:
    return None


LEAF, SPINE = end("leaf1", "65001", "65101"), end("spine1", "65001", "65101")


def test_a_platform_that_cannot_take_any_asn_says_so() -> None:
    course = next_step([asn(LEAF, SPINE)], lambda _: Unsupported("it takes a number"))
    assert course.step is None
    (why,) = course.bound
    assert why == "spine1 cannot accept any ASN of leaf1: it takes a number"


def test_asns_that_move_by_one_would_be_on_two_switches() -> None:
    """The second leaf still has what the first one gets."""
    first = asn(end("leaf1", "65001", "65002"), SPINE)
    second = asn(end("leaf2", "65002", "65003"), SPINE)
    course = next_step([first, second], able)
    assert course.step is None
    (why,) = course.bound
    assert why.startswith("leaf1 gets ASN 65002, which leaf2 still uses: in the meantime")
    assert next_step([first], able).step is not None


def test_switches_that_share_an_asn_go_on_sharing_it() -> None:
    both = [asn(end(name, "65001", "65101"), SPINE) for name in ("spine1", "spine2")]
    course = next_step(both, able)
    assert course.bound == ()
    assert course.step is not None


def test_who_is_not_in_the_plan_is_waited_for() -> None:
    outside = end("spine2", None, None, outside=True)
    course = next_step([asn(LEAF, SPINE), asn(LEAF, outside)], able)
    step = course.step
    assert step is not None
    assert (step.number, step.left, step.waits) == (1, 2, ("spine2",))
    assert step.said == "the neighbors of leaf1 accept any ASN"
    ready = end("spine1", ANY_ASN, "65101")
    course = next_step([asn(LEAF, ready), asn(LEAF, outside)], able)
    step = course.step
    assert step is not None
    assert step.number == 1


def test_a_session_that_is_new_takes_nothing_away() -> None:
    course = next_step([asn(LEAF, end("spine3", None, "65101"))], able)
    step = course.step
    assert step is not None
    assert (step.number, step.said) == (2, "new ASN for leaf1, batch by batch")


def test_targets_that_were_made_by_hand_do_not_go_by_steps() -> None:
    odd = end("leaf1", ("10", ("65001:99",), ("65001:10",)), ("10", ("65002:10",), ("65002:10",)))
    course = next_step([vlan(odd, segment("leaf2", "65001", "65002"))], able)
    assert course.step is None
    (why,) = course.bound
    assert why == "route targets cannot change in steps: 65001:99 of VNI 10 was configured by hand"


@pytest.mark.parametrize("vnis", [(10, 20), (20, 10)])
def test_another_vni_does_not_go_by_steps(vnis: tuple[int, int]) -> None:
    """A VLAN has one VNI at a time."""
    leafs = [segment(name, "65001", "65001", vnis) for name in ("leaf1", "leaf2")]
    assert next_step([vlan(*leafs)], able) == Course()


def test_two_changes_go_on_side_by_side_and_the_slower_one_counts() -> None:
    leafs = [
        end("leaf1", ("10", ("1:10", "2:10"), ("1:10",)), ("10", ("2:10",), ("2:10",))),
        end("leaf2", ("10", ("1:10", "2:10"), ("1:10",)), ("10", ("2:10",), ("2:10",))),
    ]
    course = next_step([asn(LEAF, SPINE), vlan(*leafs)], able)
    step = course.step
    assert step is not None
    assert (step.number, step.said) == (
        1,
        "the neighbors of leaf1 accept any ASN; 2 leafs also export 2:VNI",
    )
    assert step.kept == {
        "leaf1": Transition(asn=65001, imports=(1,), exports=(1, 2)),
        "leaf2": Transition(imports=(1,), exports=(1, 2)),
        "spine1": Transition(strangers=("leaf1",)),
    }

"""From many findings: that the first five of a kind are told and the rest counted."""

from fabricgen.compile.checks.registry import judged
from fabricgen.compile.checks.tally import Tally, listing
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.core.provenance import Provenance


def test_five_of_a_kind_and_a_count() -> None:
    tally = Tally(check="ports", code=Code.PORT_USED_TWICE, noun="ports", objects=12)
    for number in range(1234):
        tally.add("ports used twice", f"port {number}", ("backend",), severity=Severity.NOTE)
    tally.add("lanes", "lane 1", ("backend", "leaf"))
    result = tally.result()
    assert (result.check, result.objects, result.noun) == ("ports", 12, "ports")
    assert [finding.message for finding in result.findings][4:] == [
        "port 4",
        "1,229 more ports used twice",
        "lane 1",
    ]
    assert [finding.severity for finding in result.findings][5:] == [Severity.NOTE, Severity.ERROR]
    assert result.findings[5].path == ("backend",)


def test_one_finding_is_told_once() -> None:
    tally = Tally(check="vnis", code=Code.VNI_CLASH, noun="VNIs")
    for _ in range(9):
        tally.add("VNIs", "the VNI 1 is used twice", ("frontend",))
    assert len(tally.result().findings) == 1


def test_a_dear_text_is_made_five_times_only() -> None:
    tally = Tally(check="vnis", code=Code.VNI_CLASH, noun="VNIs")
    made = 0
    for number in range(9):
        if not tally.enough("VNIs"):
            made += 1
            tally.add("VNIs", f"the VNI {number}", ("frontend",))
    assert made == 5
    assert tally.result().findings[-1].message == "4 more VNIs"


def test_a_reason_points_at_its_main_place() -> None:
    tally = Tally(check="x", code=Code.VNI_CLASH, noun="VNIs")
    place = ("tenants", "red", "attachments", 2)
    tally.add("VNIs", "the VNI 1", Provenance((place, ("frontend",)), ""))
    tally.add("VNIs", "the VNI 2", Provenance((), ""))
    assert [item.path for item in tally.result().findings] == [place, ()]


def test_a_list_of_names_is_cut_short() -> None:
    assert listing([1, 2]) == "1, 2"
    assert listing(range(7)) == "0, 1, 2, 3, 4 and 2 more"


def test_a_check_that_examined_nothing_keeps_its_name_and_says_so() -> None:
    empty = judged(Examined(check="mtu", objects=0, noun="interfaces", findings=()))
    assert (empty.check, empty.objects, empty.noun) == ("mtu", 0, "interfaces")
    (finding,) = empty.findings
    assert finding.code is Code.NOTHING_EXAMINED
    assert finding.message == "the check 'mtu' examined no interfaces, so it proves nothing"
    some = Examined(check="mtu", objects=1, noun="interfaces", findings=())
    assert judged(some) is some

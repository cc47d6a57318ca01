"""A declared change permits what it names, and nothing else."""

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from fabricgen.core.diagnostics import Position
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.declared import MAX_BYTES, Declaration, declaration_schema, read_declaration
from fabricgen.review.declare import declare
from fabricgen.review.declared import Verdict, Word, verdict, without_declaration
from fabricgen.review.model import Act, Effect, Hit, Loss, Review, Unexplained

VLAN = Effect(
    act=Act.ADDED,
    kind="vlan",
    name="310",
    text="VLAN 310 added",
    on=("fe-leaf01", "fe-leaf02"),
    causes=(0,),
    risk=Risk.HITLESS,
)
VNI = Effect(
    act=Act.CHANGED,
    kind="vlan",
    name="100",
    attribute="vni",
    before="10100",
    after="20100",
    text="VLAN 100: VNI 10100 → 20100",
    on=("fe-leaf01",),
    causes=(0,),
    risk=Risk.SESSION_RESET,
)
FOLLOWS = replace(VLAN, name="310 interface", derived=True)
LEG = Hit(
    loss=Loss.LEG,
    network="frontend",
    servers=("gpu0001", "gpu0002"),
    gpus=16,
    tenants=("acme",),
    jobs=("train",),
    text="lose one of two legs",
    lasts="2 s",
    drain="",
)


def review(*effects: Effect, hits: tuple[Hit, ...] | None = (), odd: int = 0) -> Review:
    unexplained = (Unexplained(folder="frontend/fe-leaf01", file="x.cfg", line="+ odd"),) * odd
    return Review(
        before="a",
        after="b",
        devices=8,
        effects=effects,
        blocks=(),
        hits=hits,
        unexplained=unexplained,
    )


def declared(effects: str, hit: str = "nobody") -> Declaration:
    read = read_declaration("changes/1.yaml", f"meaning: more\neffects:\n{effects}hit: {hit}\n")
    assert read.findings == ()
    return read


def of(
    given: Review, effects: str = "  - {effect: added vlan 310}\n", hit: str = "nobody"
) -> Verdict:
    return verdict(given, declared(effects, hit))


def test_an_effect_with_an_entry_is_as_declared() -> None:
    assert of(review(VLAN)) == Verdict(word=Word.AS_DECLARED)


def test_an_effect_without_an_entry_is_named_with_its_devices() -> None:
    found = of(review(VLAN, VNI))
    assert found.word is Word.NOT_DECLARED
    (text,) = found.texts
    assert text.startswith("'changed vlan 100 vni' is not declared on fe-leaf01: VLAN 100: VNI")


def test_a_declaration_that_does_not_happen_has_its_place() -> None:
    found = of(review(VLAN), "  - {effect: added vlan 310}\n  - {effect: added vlan 311}\n")
    assert found.word is Word.NOT_DECLARED
    (sentence,) = found.sentences
    assert sentence.place == Position("changes/1.yaml", 4, 14)
    assert "'added vlan 311' does not happen; did you mean 'added vlan 310'?" in sentence.text


def test_devices_beyond_the_declared_ones_are_not_declared() -> None:
    found = of(review(VLAN), "  - {effect: added vlan 310, on: fe-leaf01}\n")
    assert found.texts == ("'added vlan 310' is declared, but not on fe-leaf02: VLAN 310 added",)


def test_two_entries_cover_the_devices_of_one_effect_together() -> None:
    entry = "  - {effect: added vlan 310, on: fe-leaf01}\n"
    assert of(review(VLAN), entry + entry.replace("01", "02")).passes


def test_a_pattern_of_devices_that_matches_nothing_is_refused_at_its_place() -> None:
    found = of(review(VLAN), "  - {effect: added vlan 310, on: [fe-*, be-*]}\n")
    (sentence,) = found.sentences
    assert sentence.text == "'added vlan 310' does not happen on 'be-*'"
    assert sentence.place == Position("changes/1.yaml", 3, 41)


@pytest.mark.parametrize(
    ("key", "passes"), [("added vlan *", True), ("* vlan 310", True), ("added vlan 3?0", False)]
)
def test_only_a_star_is_a_pattern(key: str, passes: bool) -> None:  # noqa: FBT001
    assert of(review(VLAN), f"  - {{effect: {key!r}}}\n").passes is passes


@pytest.mark.parametrize(
    ("pattern", "name", "passes"),
    [
        ("fe-*1", "fe-leaf01", True),
        ("*leaf*", "fe-leaf01", True),
        ("**", "fe-leaf01", True),
        ("fe-leaf01*1", "fe-leaf01", False),
        ("*leaf*leaf*", "fe-leaf01", False),
        ("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "a" * 200, False),
    ],
)
def test_a_pattern_matches_in_linear_time(pattern: str, name: str, passes: bool) -> None:  # noqa: FBT001
    given = review(replace(VLAN, on=(name,)))
    assert of(given, f"  - {{effect: added vlan 310, on: {pattern!r}}}\n").passes is passes


def test_other_values_than_the_declared_ones_do_not_happen() -> None:
    found = of(review(VNI), '  - {effect: changed vlan 100 vni, after: "30100"}\n')
    assert found.word is Word.NOT_DECLARED
    assert any("it changes 10100 to 20100" in text for text in found.texts)


def test_a_derived_effect_follows_from_a_declared_one_of_the_same_cause() -> None:
    assert of(review(VLAN, FOLLOWS)).passes


def test_a_derived_effect_of_another_cause_follows_from_nothing() -> None:
    found = of(review(VLAN, replace(FOLLOWS, causes=(1,))))
    assert found.word is Word.NOT_DECLARED
    assert "follows from no declared effect" in found.texts[0]


def test_a_kind_that_does_not_exist_has_a_hint() -> None:
    found = of(review(VLAN), "  - {effect: added vlan 310}\n  - {effect: added vlam 3}\n")
    assert any("'vlam' is no kind of effect (did you mean 'vlan'?)" in text for text in found.texts)


@pytest.mark.parametrize("hit", ["nobody", "[{servers: gpu0001, loss: leg}]"])
def test_a_loss_that_is_not_declared_for_all_its_servers_fails(hit: str) -> None:
    found = of(review(VLAN, hits=(LEG,)), hit=hit)
    assert found.word is Word.NOT_DECLARED
    assert "hit without a declaration: lose" in found.texts[0]
    assert "gpu0002" in found.texts[0]


@pytest.mark.parametrize(
    "who", ["servers: gpu*", "tenant: acme", "job: train", "servers: gpu*, network: frontend"]
)
def test_a_loss_is_declared_by_servers_tenant_or_job(who: str) -> None:
    assert of(review(VLAN, hits=(LEG,)), hit=f"[{{{who}, loss: leg}}]").passes


def test_a_loss_of_several_tenants_is_more_than_that_of_one() -> None:
    hit = replace(LEG, tenants=("acme", "blue"))
    assert not of(review(VLAN, hits=(hit,)), hit="[{tenant: acme, loss: leg}]").passes


def test_a_greater_loss_than_the_declared_one_is_not_declared() -> None:
    hit = replace(LEG, loss=Loss.NETWORK)
    assert not of(review(VLAN, hits=(hit,)), hit="[{servers: gpu*, loss: leg}]").passes


def test_a_declared_loss_that_does_not_happen_fails() -> None:
    found = of(review(VLAN), hit="[{servers: gpu*, loss: leg}]")
    assert found.texts == (
        "changes/1.yaml:4:7: entry 1 of `hit` does not happen: no such server loses anything",
    )


def test_what_is_not_known_is_inconclusive() -> None:
    assert of(review(VLAN, hits=None)).word is Word.INCONCLUSIVE
    assert of(review(VLAN, odd=1)).word is Word.INCONCLUSIVE
    noted = replace(review(VLAN), notes=("y is not compared",))
    assert of(noted).word is Word.INCONCLUSIVE
    unread = verdict(review(VLAN), declared("  - {effect: added vlan 310}\n"), ["x is not read"])
    assert (unread.word, unread.texts) == (Word.INCONCLUSIVE, ("x is not read",))


def test_an_undeclared_effect_is_worse_than_an_unexplained_line() -> None:
    assert of(review(VLAN, VNI, odd=1)).word is Word.NOT_DECLARED


def test_two_equal_sides_are_no_change_but_not_what_was_declared() -> None:
    found = of(review(hits=None))
    assert found.word is Word.NO_CHANGE
    assert not found.passes


def test_a_change_without_a_declaration_is_never_fine() -> None:
    assert without_declaration(review(VLAN)).word is Word.INCONCLUSIVE
    assert without_declaration(review()).passes


def test_no_word_promises_more_than_was_compared() -> None:
    assert [*map(str, Word)] == [
        "as declared",
        "no change",
        "not declared: do not apply",
        "inconclusive",
    ]


def test_a_written_declaration_covers_its_own_review() -> None:
    names = tuple(f"fe-leaf{number:02}" for number in range(1, 9))
    effects = (VNI, replace(VLAN, on=names), VLAN, FOLLOWS, replace(VLAN, name="a: #[x]", on=()))
    losses = (LEG, replace(LEG, text="again"), replace(LEG, loss=Loss.NETWORK))
    given = review(*effects, VNI, hits=losses)
    read = read_declaration("x", declare(given, "tenant: acme gets VLAN 310"))
    assert read.findings == ()
    assert verdict(given, read) == Verdict(word=Word.AS_DECLARED)


def test_a_written_declaration_needs_a_sentence_of_a_person() -> None:
    (item,) = read_declaration("x", declare(review(VLAN))).findings
    assert item.message == "meaning: must not be empty"


def test_a_written_declaration_has_the_words_of_each_effect() -> None:
    text = declare(review(VLAN, FOLLOWS), "more")
    assert "  # VLAN 310 added (hitless)\n  - {effect: added vlan 310, on: [fe-leaf01" in text


def test_comments_of_a_written_declaration_cannot_end_their_line() -> None:
    odd = replace(VLAN, text="a\n  - {effect: added vlan *}\x85b")
    assert read_declaration("x", declare(review(odd), "m")).change is not None
    assert "\n  - {effect: added vlan *}" not in declare(review(odd), "m")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("[]", "1:1", "must be a mapping"),
        ("", "1:1", "must be a mapping"),
        ("meaning: m\n", "1:1", "'effects' is missing"),
        ("meaning: m\neffects: []\n", "2:1", "must not be empty"),
        ("meaning: m\nefects: [{effect: added vlan 1}]\n", "2:1", "unknown key 'efects'"),
        ("meaning: m\neffects: [{effect: '*'}]\n", "2:20", "name the kind"),
        ("meaning: m\neffects: [{effect: added *}]\n", "2:20", "name the kind"),
        ("meaning: m\neffects: [{effect: aded vlan 1}]\n", "2:20", "did you mean 'added'"),
        ("meaning: m\neffects: [{effect: added vlan 1}]\nhit: none\n", "3:6", "must be `nobody`"),
        ("meaning: m\neffects: [{effect: added vlan 1}]\nhit: [{loss: leg}]\n", "3:7", "name who"),
        (
            "meaning: m\neffects:\n- {effect: added vlan 1}\n- {effect: added vlan 1}\n",
            "4:3",
            "repeats effect 1",
        ),
        (
            "meaning: m\neffects:\n- {effect: added vlan 1}\n- {effect: removed vlan 1}\n",
            "4:3",
            "contradicts effect 1",
        ),
        (
            "meaning: m\neffects:\n"
            + "".join(f"- {{effect: changed vlan 1 x, after: {it}}}\n" for it in "ab"),
            "4:3",
            "other values than effect 1",
        ),
        ("meaning: m\nmeaning: n\neffects: [{effect: added vlan 1}]\n", "2:1", "repeated"),
        ("meaning: !!python/object:os.system m\n", "1:10", "not supported"),
        ("a: &a [1]\nb: [*c]\n", "2:5", "no anchor"),
    ],
)
def test_a_bad_file_is_refused_at_its_place(text: str, place: str, message: str) -> None:
    read = read_declaration("c.yaml", text)
    assert read.change is None
    found = {str(each.position): f"{each.message} {each.hint}" for each in read.findings}
    assert message in found[f"c.yaml:{place}"]


def test_a_file_that_is_too_large_is_not_parsed() -> None:
    (item,) = read_declaration("c", "a" * (MAX_BYTES + 1)).findings
    assert "at most 1 MiB" in item.message


def test_the_schema_takes_what_the_reader_takes() -> None:
    validator = Draft202012Validator(declaration_schema())
    entry = {"effect": "added vlan 1", "on": ["a", "b"]}
    given = {"meaning": "m", "effects": [entry, {**entry, "on": "a*"}]}
    assert validator.is_valid(given)
    assert validator.is_valid({**given, "hit": "nobody"})
    assert validator.is_valid({**given, "hit": [{"servers": "a", "loss": "leg"}]})
    assert not validator.is_valid({**given, "hit": "anybody"})
    assert not validator.is_valid({**given, "more": 1})

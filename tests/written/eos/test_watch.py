"""`watch` reads written EOS switches: few questions, and all names fit the model."""

from tests.unit.watch.site import plans, site
from tests.written.eos.eapi import output
from tests.written.eos.switches import written

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.eos.show.reader import EOS
from fabricgen.operate.state.watch.looks import METRICS, Look, Seen, seen_of
from fabricgen.operate.state.watch.report import Watcher


def look(shown: dict[str, dict[str, object]], taken: float) -> Look:
    asked = EOS.encode(EOS.fast_questions(METRICS))
    seen: dict[str, Seen] = {
        name: seen_of(EOS, EOS.read(output(answers, asked)), taken)
        for name, answers in shown.items()
    }
    return Look(taken=taken, seen=seen)


def test_a_look_asks_few_questions() -> None:
    keys = {each.key for each in EOS.fast_questions(METRICS)}
    assert {"version", "flow", "priorities", "storms", "marks", "queues"} <= keys
    assert len(keys) < 12 < len(EOS.questions({}))


def test_counted_values_are_checked_and_the_others_are_unknown_with_a_reason() -> None:
    designed = plans("rails", "eos")
    watcher = Watcher(designed, WatchLimits(), sources={"eos": EOS.sources})
    shown = written(site("rails", "eos"))
    watcher.report(look(shown, 0.0))
    found = watcher.report(look(shown, 0.0))
    assert set(shown) == set(designed)
    for rule in ("OtherQueueMarked", "LinkPause", "QueueDrop"):
        assert found.checked[rule] == len(designed), rule
    unknown = {gap.rule: gap.reason for gap in found.gaps}
    assert unknown["HeadroomUse"] == (
        "headroom-peak not counted: the reader of this platform has no headroom-peak"
    )
    assert found.above == ()

"""EOS: every mark finds its class, every class its queue, with the numbers of the slice."""

from tests.nos.eos.sites import FRONT, RAILS, SITES, STORAGE, every_site, site, switches, with_words

from fabricgen.core.diagnostics import Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.eos.gaps import gaps_of
from fabricgen.nos.eos.nos import NOS
from fabricgen.nos.features import Feature, Supported
from fabricgen.nos.lowering import spell


@every_site
def test_every_dscp_has_one_class_and_every_class_its_queue(text: str) -> None:
    for made in switches(text):
        qos = made.switch_slice.qos
        assert qos is not None
        found: dict[int, int] = {}
        for line in made.config.rests("qos map dscp "):
            dscps, number = line.split(" to traffic-class ")
            for dscp in dscps.split():
                assert int(dscp) not in found
                found[int(dscp)] = int(number)
        assert found == {dscp: qos.class_of(dscp).number for dscp in range(64)}
        assert made.config.rests("qos map traffic-class ") == [
            f"{item.number} to tx-queue {item.number}" for item in qos.classes if item.number != 7
        ]


@every_site
def test_profiles_stand_on_every_routed_port_and_exist(text: str) -> None:
    for made in switches(text):
        profiles = {
            line.removeprefix("qos profile ")
            for line in made.config.lines
            if line.startswith("qos profile ")
        }
        used = {
            made.interface(spell(made.switch_slice.switch, item.port)).value("service-profile ")
            for item in made.switch_slice.interfaces
            if item.use in (Use.FABRIC, Use.NIC)
        }
        assert used == profiles


def test_storage_is_paused_marked_and_served_apart() -> None:
    made = next(iter(site(STORAGE).values()))
    profile = made.config.block("qos profile BACKEND-400G")
    assert profile.lines[:5] == [
        "qos trust dscp",
        "priority-flow-control on",
        "priority-flow-control priority 3 no-drop",
        "priority-flow-control priority 4 no-drop",
        "priority-flow-control pause watchdog",
    ]
    shares = {"uc-tx-queue 0": 40, "uc-tx-queue 3": 40, "uc-tx-queue 4": 20}
    for queue, share in shares.items():
        lines = profile.block(queue).lines
        assert lines[:2] == ["no priority", f"bandwidth percent {share}"]
        assert (len(lines) > 2) == (queue != "uc-tx-queue 0")
    assert "qos map dscp 4 to traffic-class 4" in made.text
    assert "qos map traffic-class 4 to tx-queue 4" in made.text


def test_the_lossless_profile() -> None:
    made = site(RAILS)["be-su01-leaf1"]
    config, qos = made.config, made.switch_slice.qos
    assert qos is not None
    (lossless,) = qos.lossless
    assert lossless.marking is not None
    marking = lossless.marking[BitsPerSecond.parse("400G")]
    profile = config.block("qos profile BACKEND-400G")
    assert profile.lines == [
        "qos trust dscp",
        "priority-flow-control on",
        "priority-flow-control priority 3 no-drop",
        "priority-flow-control pause watchdog",
        "uc-tx-queue 0",
        "uc-tx-queue 3",
        "uc-tx-queue 6",
    ]
    assert profile.block("uc-tx-queue 3").lines == [
        "no priority",
        "bandwidth percent 50",
        (
            f"random-detect ecn minimum-threshold {marking.minimum} bytes "
            f"maximum-threshold {marking.maximum} bytes max-mark-probability "
            f"{marking.probability} weight 0"
        ),
    ]
    assert profile.block("uc-tx-queue 6").lines == ["priority strict"]
    assert not config.starting("qos map cos")


def test_shares_add_up() -> None:
    for text in SITES.values():
        for made in switches(text):
            for profile in made.config.starting("qos profile "):
                shares = [
                    int(share)
                    for block in ("uc-tx-queue ", "tx-queue ")
                    for queue in profile.starting(block)
                    for share in queue.rests("bandwidth percent ")
                ]
                assert sum(shares) == 100


def test_the_watchdog_counts_seconds() -> None:
    words = "roce: {watchdog: {poll: 150, detection: 400, restoration: 1500}}"
    config = site(with_words(RAILS, "backend", words))["be-spine1"].config
    assert config.rests("priority-flow-control pause watchdog ") == [
        "default timeout 0.40",
        "default recovery-time 1.50",
        "default polling-interval 0.150",
        "action drop",
    ]


def test_what_is_switched_off_leaves_no_line() -> None:
    plain = site(with_words(RAILS, "backend", "roce: {pfc: false}"))["be-spine1"].text
    assert "priority-flow-control" not in plain
    assert "random-detect ecn" in plain
    unmarked = site(with_words(RAILS, "backend", "roce: {ecn: {enabled: false}}"))["be-spine1"].text
    assert "random-detect" not in unmarked
    assert "priority 3 no-drop" in unmarked


def test_a_profile_per_speed() -> None:
    config = site(with_words(RAILS, "backend", "roce: {profile: hpcc-scaled}"))["be-su01-leaf1"]
    marks = {
        profile.line.split("-")[-1]: profile.block("uc-tx-queue 3")
        .value("random-detect ecn minimum-threshold ")
        .split()[0]
        for profile in config.config.starting("qos profile ")
    }
    assert marks == {"400G": "1600000", "800G": "3200000"}


def test_frontend_servers_are_not_trusted() -> None:
    config = site(FRONT)["fe-leaf01"].config
    assert config.has("qos map cos 0 1 2 3 4 5 6 7 to traffic-class 0")
    assert config.block("qos profile FRONTEND").block("uc-tx-queue 0").lines == [
        "no priority",
        "bandwidth percent 100",
    ]


def test_marks_are_counted_where_they_are_made() -> None:
    made = site(STORAGE)["be-leaf1"]
    port = made.interface("Ethernet1/1")
    assert [line for line in port.lines if "queue" in line] == ["uc-tx-queue 3", "uc-tx-queue 4"]
    for queue in port.starting("uc-tx-queue "):
        assert queue.lines == ["random-detect ecn count"]
    assert "ecn count" not in site(FRONT)["fe-leaf01"].text


def test_the_watchdog_is_promised_in_part_only() -> None:
    switch_slice = site(RAILS)["be-spine1"].switch_slice
    (found,) = [gap for gap in gaps_of(switch_slice) if "guaranteed bandwidth" in gap.message]
    assert found.severity is Severity.WARNING
    assert found.path == ("backend", "roce", "watchdog")
    answer = NOS.answer(Feature.WATCHDOG)
    assert isinstance(answer, Supported)
    assert "guaranteed bandwidth" in answer.but
    unwatched = with_words(RAILS, "backend", "roce: {watchdog: {enabled: false}}")
    switch_slice = site(unwatched)["be-spine1"].switch_slice
    assert not [gap for gap in gaps_of(switch_slice) if "guaranteed bandwidth" in gap.message]

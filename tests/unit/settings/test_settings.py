"""Settings: what an intent chooses wins over what it inherits, and facts lead back to the keys."""

from typing import Any

import pytest
from netaddr import IPAddress
from pydantic import ValidationError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Percent
from fabricgen.importer.keys import keys_of
from fabricgen.intent.model.ports import Errdisable as ErrdisableModel
from fabricgen.intent.model.ports import PortProfile as ProfileModel
from fabricgen.intent.model.site import Management as ManagementModel
from fabricgen.intent.settings import given, resolve
from fabricgen.model.settings.ports import Errdisable, PortProfile, StormControl
from fabricgen.model.settings.registry import RECORDS
from fabricgen.model.settings.services import Management
from fabricgen.model.settings.setting import (
    Resolved,
    declared,
    entries_of,
    facts_of,
)
from fabricgen.nos.sonic.readings import share_of_speed, the_only


def why(path: IntentPath) -> Provenance:
    return Provenance((path,), "chosen")


def profile(*layers: dict[str, Any]) -> Resolved[PortProfile]:
    models = [(ProfileModel.model_validate(each), (f"p{at}",)) for at, each in enumerate(layers)]
    return resolve(PortProfile, models, why)


def test_the_nearest_profile_wins_and_each_key_is_inherited_by_itself() -> None:
    near = {"portfast": False, "storm_control": {"broadcast": 2.5}}
    far = {"portfast": True, "bpdu_guard": False, "storm_control": {"broadcast": 1, "multicast": 3}}
    found = profile(near, far)
    storms = StormControl(broadcast=Percent(2.5), multicast=Percent(3))
    assert found.values == PortProfile(portfast=False, bpdu_guard=False, storm_control=storms)
    assert {key: because.main for key, because in found.chosen.items()} == {
        "portfast": ("p0", "portfast"),
        "bpdu_guard": ("p1", "bpdu_guard"),
        "storm_control.broadcast": ("p0", "storm_control", "broadcast"),
        "storm_control.multicast": ("p1", "storm_control", "multicast"),
    }


def test_without_a_choice_the_defaults_hold_and_nothing_has_a_reason() -> None:
    found = profile({}, {})
    assert (found.values, dict(found.chosen)) == (PortProfile(), {})
    assert facts_of(found.values) == {"edge": "true", "bpdu-guard": "true"}


@pytest.mark.parametrize("share", [0, 100.5, 0.005, "5", True])
def test_a_share_is_a_number_of_percent(share: object) -> None:
    with pytest.raises(ValidationError):
        ProfileModel.model_validate({"storm_control": {"broadcast": share}})


def test_a_required_key_is_required_and_causes_are_a_set() -> None:
    with pytest.raises(ValidationError, match="recover"):
        ErrdisableModel.model_validate({"after": 60})
    model = ErrdisableModel.model_validate({"recover": ["link-flap", "bpduguard", "link-flap"]})
    found = resolve(Errdisable, [(model, ())], why)
    assert found.values == Errdisable(recover=("bpduguard", "link-flap"), after=300)


@pytest.mark.parametrize(
    "keys",
    [
        {"portfast": False},
        {"bpdu_guard": False, "storm_control": {"unknown_unicast": 0.01}},
        {"storm_control": {"broadcast": 12.34, "multicast": 100.0}},
    ],
)
def test_facts_of_a_record_lead_back_to_its_keys(keys: dict[str, Any]) -> None:
    assert keys_of(PortProfile, [facts_of(profile(keys).values)]) == keys


def test_silence_of_a_platform_without_the_feature_means_nothing() -> None:
    assert keys_of(PortProfile, [{}], lambda feature: feature == "storm-control") == {}
    assert keys_of(PortProfile, [{}]) == {"portfast": False, "bpdu_guard": False}
    assert keys_of(Errdisable, [{"recovery-interval": "60"}]) == {}


def test_a_refused_key_is_left_out_and_the_other_services_are_kept() -> None:
    told: dict[str, Any] = {"dns": [IPAddress("10.0.0.4")], "domain": "lab.example"}
    model = ManagementModel.model_construct(**told)
    del vars(model)["ntp"]
    assert given(Management, model) == {
        "dns": ("10.0.0.4",),
        "domain": "lab.example",
        "syslog": (),
        "users": (),
    }


def test_a_list_of_services_takes_no_empty_key() -> None:
    told = {"subnet": "10.0.0.0/24", "ntp": None}
    with pytest.raises(ValidationError, match="ntp"):
        ManagementModel.model_validate(told)


def test_each_entry_of_a_list_is_an_object_and_no_fact_of_the_switch() -> None:
    ntp, domain = ("10.0.0.1", "10.0.0.2"), "lab.example"
    told = Management(ntp=ntp, domain=domain)
    assert list(entries_of(told)) == [("ntp", "10.0.0.1"), ("ntp", "10.0.0.2")]
    assert facts_of(told) == {"domain": "lab.example"}


def test_a_release_without_the_feature_need_not_state_a_setting() -> None:
    told = Management(domain="lab.example", banner="hello")
    assert facts_of(told, lambda feature: feature != "dns-domain") == {"banner": "hello"}


def test_a_search_list_is_a_domain_while_it_has_one_entry() -> None:
    assert the_only(("lab.example",), {}) == "lab.example"
    assert the_only(("a.example", "b.example"), {}) == ("a.example", "b.example")


@pytest.mark.parametrize("record", RECORDS)
def test_no_two_settings_of_a_record_state_the_same_fact(record: type[Any]) -> None:
    facts = [each.setting.fact for each in declared(record) if each.setting.fact]
    assert len(facts) == len(set(facts))


@pytest.mark.parametrize("speed", ["10M", "1G", "25G", "400G", "1.6T"])
@pytest.mark.parametrize("share", ["0.01", "0.07", "33.33", "100"])
def test_the_reading_of_a_rate_loses_nothing(speed: str, share: str) -> None:
    kbps = round(int(BitsPerSecond.parse(speed)) * float(share) / 100_000)
    assert share_of_speed(str(kbps), {"speed": speed}) == share


@pytest.mark.parametrize("port", [{}, {"speed": "fast"}, {"speed": ("1G", "10G")}])
def test_a_rate_of_a_port_without_a_speed_stays_a_rate(port: dict[str, Any]) -> None:
    assert share_of_speed("1000", port) == "1000"
    assert share_of_speed("many", {"speed": "1G"}) == "many"

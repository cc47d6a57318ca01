"""One look at an EOS switch: its batch, the older way command by command, and what ends it."""

import json

import pytest
from napalm.base.exceptions import ConnectionException
from tests.deploy.eapi.clients import Bench
from tests.deploy.eapi.test_health import SHOWN

from fabricgen.nos.eos.driver.answer import Ended
from fabricgen.nos.eos.driver.batch import answered
from fabricgen.nos.eos.show.reader import EOS
from fabricgen.nos.questions import Question

ASKED = (
    Question("hostname", "show hostname", 1),
    Question("bfd", "show bfd peers detail", 1),
    Question("nothing", "show nothing", 1),
    Question("lldp", "show lldp neighbors detail", 1),
    Question("diffs", "show running-config diffs", text=True),
)


def asked(bench: Bench) -> str:
    bench.server.switch.shown.update(SHOWN)
    with bench.driver() as driver:
        bench.server.requests = 0
        return driver.read(EOS.encode(ASKED))


def test_a_look_takes_two_requests_although_a_command_is_refused(bench: Bench) -> None:
    given = EOS.decode(asked(bench))
    assert bench.server.requests == 2
    assert [key for key, answer in given.items() if answer.status] == ["nothing"]
    assert given["nothing"].text.startswith("refused: Invalid input")
    assert json.loads(given["hostname"].text)["hostname"] == "leaf01"
    assert given["diffs"].text == ""
    assert given["bfd"].seconds == 0.001


def test_a_switch_without_stop_on_error_is_asked_one_by_one(bench: Bench) -> None:
    whole = json.loads(asked(bench))
    bench.server.switch.faults.old_eapi = True
    single = json.loads(asked(bench))
    assert bench.server.requests == 2 + len(ASKED)
    for each in whole.values():
        each.pop("_meta", None)
    assert single == whole


def test_a_list_that_is_too_short_is_completed_one_by_one() -> None:
    """As of a release that stops at the first refusal whatever it is asked."""
    bodies = []

    def post(body: str) -> str:
        sent = json.loads(body)
        bodies.append(sent)
        count = 2 if len(bodies) == 1 else len(sent["params"]["cmds"])
        items = [{"asked": each["cmd"]} for each in sent["params"]["cmds"][:count]]
        return json.dumps({"result": items})

    requests = json.loads(EOS.encode(ASKED[:3]))
    found = answered(post, requests)
    assert {key: each["asked"] for key, each in found.items()} == {
        each.key: each.line for each in ASKED[:3]
    }
    assert len(bodies) == 3


def test_a_revision_fixes_the_shape_and_text_is_asked_for_apart() -> None:
    json_body, text_body = (each["body"]["params"] for each in json.loads(EOS.encode(ASKED)))
    assert json_body["version"] == 1
    assert json_body["cmds"][1] == {"cmd": "show hostname", "revision": 1}
    assert (json_body["format"], text_body["format"]) == ("json", "text")
    assert json_body["stopOnError"] is False
    assert json_body["timestamps"] is True


def test_secrets_in_unsaved_lines_are_hidden(bench: Bench) -> None:
    bench.server.switch.running += "snmp-server community c4n4ry-word ro\n"
    given = asked(bench)
    assert "c4n4ry-word" not in given
    assert "snmp-server community" in given


@pytest.mark.parametrize("said", ["[]", "7", '{"error": 7}', "{}", "[" * 100_000, "no JSON"])
def test_a_response_that_is_no_eapi_response_ends_the_look(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    with bench.driver() as driver:
        monkeypatch.setattr(Ended, "post", lambda _self, _body: said)
        with pytest.raises(ConnectionException, match="no eAPI response"):
            driver.read(EOS.encode(ASKED))


def test_answers_to_all_single_commands_together_are_limited(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bench.driver() as driver:
        said = json.dumps({"result": [{}, "x" * (20 << 20)]})
        monkeypatch.setattr(Ended, "post", lambda _self, _body: said)
        with pytest.raises(ConnectionException, match="longer than 32 MiB"):
            driver.read(EOS.encode(ASKED))


def test_a_closed_driver_reads_nothing(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.close()
        with pytest.raises(ConnectionException):
            driver.read(EOS.encode(ASKED))

"""The example site, booted: it shows its model and nothing else, and can be used as documented."""

from hashlib import sha256

import pytest
from tests.lab.machinery import INTENT
from tests.lab.running import Running
from tests.longer import ALL, longer

from fabricgen.prove.verifier import Look

FRONTEND = ("fe-spine1", "fe-spine2", "fe-leaf01", "fe-leaf02", "fe-leaf03", "fe-leaf04")
SPINES = ("be-spine1", "be-spine2") if ALL else ("be-spine1",)
RAILS = tuple(f"be-su01-leaf{rail}" for rail in ((1, 2, 3, 4) if ALL else (1, 4)))
SWITCHES = (*FRONTEND, *SPINES, *RAILS)
ONE_OF_A_KIND = ("fe-spine1", "fe-leaf01", "fe-leaf04", "be-spine1", "be-su01-leaf1")


def test_every_switch_of_the_site_is_there(lab: Running) -> None:
    assert {switch.name for switch in lab.plan.switches} == set(SWITCHES)


@pytest.fixture(scope="module")
def looks(lab: Running) -> dict[str, Look]:
    """Look once where all is as designed, as `lab up` left it: a look takes a CPU for seconds."""
    looks = lab.verifier.look()
    return lab.settle() if any(look.differences for look in looks.values()) else looks


def test_every_switch_is_as_designed(looks: dict[str, Look]) -> None:
    assert [found.sentence for look in looks.values() for found in look.differences] == []


def test_nothing_is_expected_to_be_down(looks: dict[str, Look]) -> None:
    """Nothing but the sessions of two rails and a spine to what is not in this part."""
    models = [look.expected for look in looks.values()]
    sessions = [model.waits_for(key) for model in models for key in model.of("session")]
    inside = 2 * len(SPINES) * len(RAILS)  # two links of each rail to each spine
    outside = 2 * (len(RAILS) * (2 - len(SPINES)) + len(SPINES) * (4 - len(RAILS)))
    assert sum(sessions) == 2 * (4 * 2 + 4 * 2 + inside)  # underlay and EVPN, and the backend's
    assert len(sessions) - sum(sessions) == outside


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_rendered_files_are_on_the_switch_byte_for_byte(lab: Running, switch: str) -> None:
    paths = sorted(lab.files_of(switch))
    said = lab.run(switch, "sha256sum", *(f"/{path}" for path in paths))
    wanted = {f"/{path}": _sum(text) for path, text in lab.files_of(switch).items()}
    assert {line.split()[1]: line.split()[0] for line in said.splitlines()} == wanted


def _sum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("switch", SWITCHES if ALL else ONE_OF_A_KIND)
def test_the_configuration_is_in_canonical_form(lab: Running, switch: str) -> None:
    """Reloading right after the boot would change nothing: deployments diff this way."""
    words = ("/usr/lib/frr/frr-reload.py", "--test", "--stdout", "/etc/frr/frr.conf")
    assert "Lines To" not in lab.run(switch, *words)


def test_hosts_are_not_changed_by_looking(lab: Running) -> None:
    host = lab.plan.hosts[0].name
    assert lab.run(host, "ip", "-br", "link").startswith("lo")


def test_ssh_with_checked_host_keys(lab: Running) -> None:
    done = lab.ground.call("lab", "ssh", "fe-leaf01", "hostname")
    assert (done.returncode, done.stdout, done.stderr) == (0, "fe-leaf01\n", "")


def test_ssh_to_a_switch_whose_key_is_another_is_refused(lab: Running) -> None:
    known = lab.ground.labs / "site" / "known_hosts"
    text = known.read_text()
    lines = dict(line.split(" ", 1) for line in text.splitlines())
    lines["fe-leaf01"] = lines["fe-leaf02"]
    known.write_text("".join(f"{name} {key}\n" for name, key in lines.items()))
    try:
        done = lab.ground.call("lab", "ssh", "fe-leaf01", "hostname")
    finally:
        known.write_text(text)
    assert done.returncode == 255
    assert "Host key verification failed" in done.stderr


def test_exec_carries_output_and_status(lab: Running) -> None:
    done = lab.ground.call("lab", "exec", "be-spine1", "--", "sh", "-c", "hostname; exit 7")
    assert (done.returncode, done.stdout) == (7, "be-spine1\n")


def test_an_unknown_switch_is_named_with_those_there_are(lab: Running) -> None:
    for words in (("exec", "fe-leaf99", "true"), ("ssh", "fe-leaf99"), ("fail", "fe-leaf99")):
        done = lab.ground.call("lab", *words)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "'fe-leaf99'" in done.stderr


def test_a_second_lab_of_that_name_is_refused_in_one_line(lab: Running) -> None:
    done = lab.ground.call("lab", "up", str(INTENT), "--name", "site", "--limit", "be-spine1")
    assert done.returncode == 1
    assert (
        done.stderr == "error: the lab site is already running; stop it with `fabricgen lab down`\n"
    )
    assert lab.run("be-spine1", "hostname") == "be-spine1\n"


def test_status_as_json(lab: Running, looks: dict[str, Look]) -> None:
    code, said = lab.status()
    assert (code, said["lab"], said["differences"], said["broken"]) == (0, "site", [], {})


def test_a_cable_that_failed_is_named_and_heals(lab: Running) -> None:
    cable = lab.ground.call("lab", "fail", "fe-leaf01:swp5")
    assert cable.returncode == 0, cable.stderr
    code, said = lab.status()
    what = {(each["switch"], each["what"]) for each in said["differences"]}
    healed = lab.ground.call("lab", "restore")
    assert healed.returncode == 0, healed.stderr
    assert code != 0
    assert said["broken"] == {"fe-leaf01:swp5": ["down"]}
    # The other leafs have one equal path less to this one; the backend is another network.
    assert {"fe-leaf01", "fe-spine1"} <= {switch for switch, _ in what}
    assert not {switch for switch, _ in what if switch.startswith("be-")}
    assert any("swp5" in thing for switch, thing in what if switch == "fe-leaf01")
    assert lab.differences_of("fe-leaf01", "fe-spine1") == []  # all others: after planted faults


@longer
def test_a_switch_that_failed_heals(lab: Running) -> None:
    assert lab.ground.call("lab", "fail", "be-spine2").returncode == 0
    code, said = lab.status()
    assert lab.ground.call("lab", "restore").returncode == 0
    assert code != 0
    assert said["broken"] == {"be-spine2": ["down"]}
    leafs = {f"be-su01-leaf{rail}" for rail in (1, 2, 3, 4)}
    assert leafs <= {each["switch"] for each in said["differences"]}
    assert lab.differences() == []

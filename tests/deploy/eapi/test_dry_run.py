"""Through NAPALM's real driver to the stand-in for EOS: a dry run, command by command."""

import re

from tests.deploy.eapi.clients import NEW, OLD_TEXT, Bench

# What may be sent: questions, and a session of our own that ends in an abort.
_READS = r"show .*|dir flash:|more flash:\S+|end"
_OWN_SESSION = r"configure session fabricgen-p1-\d+( abort)?|rollback clean-config"


def test_a_dry_run_sends_nothing_that_changes_the_switch(bench: Bench) -> None:
    with bench.driver() as driver:
        driver.claim("p1")
        driver.get_config()
        driver.health()
        driver.unfinished()
        driver.load_replace_candidate(config=NEW)
        assert driver.compare_config()
        driver.discard_config()
    others = _others(bench.server.commands)
    assert others == []
    assert bench.server.commands[-1] == "configure session fabricgen-p1-1 abort"
    switch = bench.server.switch
    assert switch.running == switch.startup == OLD_TEXT
    assert switch.sessions == {}
    assert set(switch.flash) == {"startup-config"}


def _others(commands: list[str]) -> list[str]:
    """What is neither a question nor typed into the session, between entering and `end`."""
    found, inside = [], False
    for command in commands:
        if re.fullmatch(_OWN_SESSION, command):
            inside = not command.endswith("abort")
        elif command == "end":
            inside = False
        elif re.fullmatch(r"commit.*|.*\bcommit( .*)?|copy .*|write .*|delete .*", command) or (
            not inside and not re.fullmatch(_READS, command)
        ):
            found.append(command)
    return found

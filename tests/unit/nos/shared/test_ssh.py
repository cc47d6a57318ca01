"""How a switch is reached: what NAPALM's optional_args come to, and what is refused unheard."""

from pathlib import Path

import pytest
from napalm.base.exceptions import ConnectionException

from fabricgen.nos.shared.ssh import Connection, Way


def way(**options: object) -> Way:
    return Way.of("10.0.0.1", "admin", "", 5, options)


@pytest.mark.parametrize(
    ("options", "known_as"),
    [
        ({}, ("10.0.0.1", 22)),
        ({"port": 2222}, ("10.0.0.1", 2222)),
        ({"port": 2222, "host_key_alias": "leaf1"}, ("leaf1", 22)),
    ],
)
def test_a_host_key_is_known_by_the_alias_or_by_host_and_port(
    options: dict[str, object], known_as: tuple[str, int]
) -> None:
    assert way(**options).known_as == known_as


def test_a_proxy_command_has_the_marks_of_openssh() -> None:
    command = "ssh -W '%h:%p' %r@jump 'two words'"
    words = ["ssh", "-W", "10.0.0.1:2222", "admin@jump", "two words"]
    assert way(port=2222, proxy_command=command).proxy == words
    assert way().proxy is None


def test_without_a_file_of_host_keys_nothing_is_connected(tmp_path: Path) -> None:
    missing = str(tmp_path / "known_hosts")
    with pytest.raises(ConnectionException, match="cannot read host keys"):
        Connection(way(known_hosts=missing, proxy_command="false")).open()


def test_what_a_proxy_command_complains_of_is_said(tmp_path: Path) -> None:
    (tmp_path / "known").write_text("")
    command = "sh -c 'echo no route to jump >&2; exit 1'"
    connection = Connection(way(known_hosts=str(tmp_path / "known"), proxy_command=command))
    with pytest.raises(
        ConnectionException, match=r"^10\.0\.0\.1: no SSH connection \(no route to jump\)$"
    ):
        connection.open()
    assert not connection.alive

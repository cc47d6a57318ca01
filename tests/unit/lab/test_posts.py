"""Packets of one machine to itself, over either IP version: what the engine hears of their way."""

import contextlib
import socket

import pytest

from fabricgen.operate.lab.engine import probe
from fabricgen.operate.lab.engine import probe_sockets as posts


@pytest.mark.parametrize(("address", "headers"), [("127.0.0.1", 28), ("::1", 48)])
@pytest.mark.parametrize("size", [100, 1400])
def test_a_packet_says_its_size_class_and_hops(
    monkeypatch: pytest.MonkeyPatch, address: str, headers: int, size: int
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((address, 0))
        except OSError:
            pytest.skip(f"this machine has no {address}")
    monkeypatch.setattr(posts, "inside", lambda _: contextlib.nullcontext())
    ends = [{"host": "here", "address": address}, {"host": "other", "address": "203.0.113.1"}]
    ask = {"pairs": [(0, 0)], "rounds": 2, "wait": 2, "size": size, "dscp": 26}
    heard = probe.matrix(ends, ask)["0"]
    assert (heard["size"], heard["dscp"], heard["ttl"], heard["by"]) == (size, 26, 64, [0])
    assert posts.version_of(address).headers == headers


def test_all_who_have_an_address_listen_and_only_they() -> None:
    ends = [{"address": text} for text in ("10.0.0.1", "10.0.0.2", "198.18.0.1", "198.18.0.1")]
    assert probe._ends(ends, [(0, 2)]) == {0, 2, 3}
    assert probe._ends(ends, [(2, 1)]) == {2, 1}

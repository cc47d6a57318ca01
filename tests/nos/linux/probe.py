"""One end of a probe: `answer` answers one; `ask` prints whether it was answered."""

import contextlib
import socket
import sys

_ECHO = bytes.fromhex("0800f7fe00010000")
"""An ICMP echo request: the kernel at the other end answers it."""


def answer(protocol: str, port: int, address: str) -> None:
    """Answer one probe."""
    kind = socket.SOCK_STREAM if protocol == "tcp" else socket.SOCK_DGRAM
    with socket.socket(socket.AF_INET, kind) as end, contextlib.suppress(TimeoutError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        end.settimeout(5)
        end.bind((address, port))
        if protocol == "tcp":
            end.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        if protocol == "tcp":
            end.accept()[0].sendall(b"x")
        else:
            end.sendto(b"x", end.recvfrom(1)[1])


def ask(protocol: str, port: int, address: str, source: int) -> bool:
    """Tell whether a probe was answered within a second."""
    kinds = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM, "icmp": socket.SOCK_RAW}
    number = socket.IPPROTO_ICMP if protocol == "icmp" else 0
    with socket.socket(socket.AF_INET, kinds[protocol], number) as end:
        end.settimeout(1)
        if protocol != "icmp":
            end.bind(("", source))
        try:
            end.connect((address, port))
            end.sendall(_ECHO if protocol == "icmp" else b"x")
            return bool(end.recv(64))
        except OSError:
            return False


if __name__ == "__main__":
    role, protocol, port, address, *source = sys.argv[1:]
    if role == "answer":
        answer(protocol, int(port), address)
    else:
        answered = ask(protocol, int(port), address, int(source[0]))
        sys.stdout.write("yes\n" if answered else "no\n")

"""Run a lab as a process: start its machine, forward every client's stream and end with it.

`python -m fabricgen.operate.lab.supervisor FOLDER WAY MEBIBYTES LOCK [FRR]`. The end of the
supervisor ends the lab and removes its folder, and the end of the machine ends the supervisor.
Until a byte on its standard input confirms that the lab runs, the supervisor also ends with its
parent, at the end of that input. LOCK is the descriptor that reserves the lab's name.
"""

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from fabricgen.operate.lab.channel import WINDOW, Frame, Joiner, Kind, message, pieces, read_frame
from fabricgen.operate.lab.machine.dying import Guard, adopt_orphans, reap
from fabricgen.operate.lab.machine.machine import Direct, Machine
from fabricgen.operate.lab.machine.uml import UserMode
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.tools import Tools


class Keeper:
    """Connects clients to the one line of the engine."""

    def __init__(self, place: Place, machine: Machine, end: Callable[[], None]) -> None:
        """Supervise a started machine; `end` ends it and all its processes."""
        self.place, self.machine, self.end = place, machine, end
        self.clients: dict[int, asyncio.StreamWriter] = {}
        self.count = 0
        self.over = asyncio.Event()
        self.window = asyncio.Semaphore(WINDOW)
        self.out: asyncio.StreamWriter

    async def run(self) -> None:
        """Serve until the lab ends."""
        line = socket.socket(fileno=os.dup(self.machine.line))
        reader, self.out = await asyncio.open_connection(sock=line)
        asyncio.get_running_loop().add_reader(0, self.owner)
        serving = asyncio.create_task(self.serve(reader))
        waiting = asyncio.create_task(self.over.wait())
        try:
            await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.over.set()
            serving.cancel()
            waiting.cancel()
            self.end()

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Wait for the engine, then accept clients."""
        try:
            first = await asyncio.wait_for(read_frame(reader), 60)
        except (TimeoutError, asyncio.IncompleteReadError):
            sys.stdout.write("supervisor: the engine did not start\n")
            return
        assert first.message == {"event": "ready"}
        path = str(self.place.socket)
        async with await asyncio.start_unix_server(self.client, path, limit=1 << 26):
            await self.pump(reader)

    def owner(self) -> None:
        """Read from the parent: a byte when the lab runs, end of input after a failure."""
        asyncio.get_running_loop().remove_reader(0)
        if not os.read(0, 1):
            self.over.set()

    async def pump(self, reader: asyncio.StreamReader) -> None:
        """Forward frames from the engine to their clients."""
        joiner = Joiner()
        while True:
            try:
                frame = joiner.join(await read_frame(reader))
            except asyncio.IncompleteReadError:
                return
            if frame is None:
                continue
            if frame.kind is Kind.READ:
                self.window.release()
                continue
            client = self.clients.get(frame.stream)
            if client is None:
                continue
            if frame.kind is Kind.END:
                client.close()
            else:
                client.write(frame.payload + (b"\n" if frame.kind is Kind.MESSAGE else b""))

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client: its first line is a request, the rest are bytes of its stream."""
        with contextlib.suppress(ConnectionError, ValueError):
            line = await reader.readline()
            if not line:
                return
            request = json.loads(line)
            if request["op"] == "down":
                await self.down(writer)
                return
            self.count += 1
            stream = self.count
            self.clients[stream] = writer
            try:
                for frame in message(stream, request):
                    await self.send(frame)
                while data := await reader.read(65536):
                    for frame in pieces(stream, data):
                        await self.send(frame)
            finally:
                del self.clients[stream]
                if (
                    not self.over.is_set()
                ):  # the engine would not read it, and the window would stay full
                    await self.send(Frame(stream, Kind.END))
        writer.close()

    async def send(self, frame: Frame) -> None:
        """Write one frame to the engine as soon as the window allows it."""
        await self.window.acquire()
        self.out.write(frame.pack())
        await self.out.drain()

    async def down(self, writer: asyncio.StreamWriter) -> None:
        """End the lab; the machine ends all its processes."""
        self.end()
        writer.write(b'{"ok": null}\n')
        await writer.drain()
        writer.close()
        self.over.set()


def main(folder: str, way: str, mebibytes: int, lock: int, frr: str) -> None:
    """Start a machine and supervise it."""
    place, tools, log = Place(Path(folder)), Tools.here(frr), sys.stdout.fileno()
    os.set_inheritable(lock, False)  # noqa: FBT003 - os takes the argument by position
    adopt_orphans()
    guard = Guard(place.folder, lock)
    machine: Machine = (
        Direct(place.files, tools, log)
        if way == "direct"
        else UserMode(place.folder, place.files, tools, mebibytes, log)
    )
    guard.watch(machine.group)

    def end() -> None:
        machine.kill()
        guard.end()
        reap()

    asyncio.run(_kept(place, machine, end))


async def _kept(place: Place, machine: Machine, end: Callable[[], None]) -> None:
    await Keeper(place, machine, end).run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), "".join(sys.argv[5:]))

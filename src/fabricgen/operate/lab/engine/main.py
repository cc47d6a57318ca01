"""Run the engine's loop as root and answer the requests of the supervisor.

The machine starts it as `python -m fabricgen.operate.lab.engine.main LINE FILES TOOLS`. LINE is a
serial line's path or an open descriptor's number. TOOLS is a list of trees, separated by colons, or
empty.
"""

import asyncio
import os
import select
import sys
import traceback
import tty
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fabricgen.operate.lab.channel import Frame, Joiner, Kind, message, pieces, read_frame
from fabricgen.operate.lab.engine.kernel import load_modules
from fabricgen.operate.lab.engine.lab import Lab
from fabricgen.operate.lab.engine.probe import ENOUGH, measure
from fabricgen.operate.lab.engine.replacement_switch import another
from fabricgen.operate.lab.engine.world import LabError, RefusedError, World, use_tools

_THREADS = 64
"""Simultaneous requests, independent of the number of CPUs: most of them wait."""

Operation = Callable[[Lab, dict[str, Any]], Any]
OPERATIONS: dict[str, Operation] = {
    "exec": lambda lab, ask: lab.execute(
        ask["name"], ask["command"], ask.get("text"), ask.get("seconds", 600)
    ),
    "fail": lambda lab, ask: lab.fail(ask["name"], silent=ask["silent"]),
    "reload": lambda lab, ask: lab.switch(ask["switch"]).reload(ask["files"]),
    "restore": lambda lab, ask: lab.restore(ask.get("name")),
    "another": lambda lab, ask: another(lab, ask["name"], image=ask["image"], mac=ask["mac"]),
    "keys": lambda lab, ask: lab.keys(ask["key"]),
    "broken": lambda lab, _: lab.broken,
    "probe": lambda lab, ask: measure(lab.plan, ask["ask"]),
    "enough": lambda _lab, _ask: ENOUGH.set(),
}


class Engine:
    """Answers requests, each in its own task."""

    def __init__(self, line: asyncio.StreamReader, out: int, files: Path, world: World) -> None:
        """Take both directions of the line."""
        self.line, self.out, self.files, self.world = line, out, files, world
        self.lab: Lab | None = None
        self.streams: dict[int, asyncio.Queue[Frame]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.writing = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self.loop.set_default_executor(ThreadPoolExecutor(_THREADS))

    async def run(self) -> None:
        """Serve until the line closes."""
        await self.say(0, {"event": "ready"})
        joiner = Joiner()
        while True:
            try:
                part = await read_frame(self.line)
            except asyncio.IncompleteReadError:
                return
            await self.send(Frame(0, Kind.READ))
            frame = joiner.join(part)
            if frame is None:
                continue
            if frame.stream in self.streams:
                self.streams[frame.stream].put_nowait(frame)
            elif frame.kind is Kind.MESSAGE:
                self.streams[frame.stream] = asyncio.Queue()
                task = asyncio.create_task(self.serve(frame))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    async def send(self, frame: Frame) -> None:
        """Write one frame in a thread, because the line is slow."""
        async with self.writing:
            await asyncio.to_thread(_write, self.out, frame.pack())

    async def say(self, stream: int, content: dict[str, Any]) -> None:
        """Write one message."""
        for frame in message(stream, content):
            await self.send(frame)

    async def serve(self, frame: Frame) -> None:
        """Answer one request; every error becomes an answer."""
        request, stream = frame.message, frame.stream
        try:
            if request["op"] == "connect":
                await self.connect(stream, request["switch"], request["port"])
            else:
                answer = await asyncio.to_thread(self.answer, request, stream)
                await self.say(stream, {"ok": answer})
        except LabError as error:
            kind = {"refused": True} if isinstance(error, RefusedError) else {}
            await self.say(stream, {"error": str(error), **kind})
        except Exception as error:  # noqa: BLE001 - the boundary: the client receives every error
            traceback.print_exc()
            await self.say(stream, {"error": f"{type(error).__name__}: {error}"})
        finally:
            del self.streams[stream]
            await self.send(Frame(stream, Kind.END))

    def answer(self, request: dict[str, Any], stream: int) -> Any:
        """Execute a request in a thread."""
        if request["op"] == "boot":
            self.lab = Lab(request["plan"], self.files, self.world, request["workers"])
            return self.lab.boot(lambda event: self.tell(stream, event))
        if self.lab is None:
            raise LabError("the lab has not been booted")
        operation = OPERATIONS.get(request["op"])
        if operation is None:
            raise LabError(f"unknown operation {request['op']!r}")
        return operation(self.lab, request)

    def tell(self, stream: int, event: dict[str, Any]) -> None:
        """Send a progress event from a thread."""
        asyncio.run_coroutine_threadsafe(self.say(stream, event), self.loop).result()

    async def connect(self, stream: int, switch: str, port: int) -> None:
        """Forward one TCP connection to a switch's management address."""
        if self.lab is None:
            raise LabError("the lab has not been booted")
        address = self.lab.switch(switch).management
        reader, writer = await asyncio.open_connection(address, port)
        await self.say(stream, {"ok": address})
        back = asyncio.create_task(self._carry(reader, stream))
        queue = self.streams[stream]
        while not back.done():
            getting = asyncio.create_task(queue.get())
            await asyncio.wait({getting, back}, return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                getting.cancel()
                break
            frame = getting.result()
            if frame.kind is Kind.END:
                break
            writer.write(frame.payload)
            await writer.drain()
        back.cancel()
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, stream: int) -> None:
        while data := await reader.read(65536):
            for frame in pieces(stream, data):
                await self.send(frame)


def _write(out: int, data: bytes) -> None:
    """Write all bytes to a line that does not block."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(out, view) :]
        except BlockingIOError:
            select.select([], [out], [], 1)


async def _main(line: str, files: str, trees: list[Path]) -> None:
    if line.isdigit():
        descriptor = out = int(line)
    else:
        descriptor = os.open(line, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(descriptor)
        # The second descriptor blocks: a full serial line does not wake a waiting writer.
        out = os.open(line, os.O_WRONLY | os.O_NOCTTY)
    reader = asyncio.StreamReader(limit=1 << 22)
    loop = asyncio.get_running_loop()
    pipe = os.fdopen(descriptor, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    engine = Engine(reader, out, Path(files), World(tuple(trees)))
    await engine.run()


def _modules(trees: list[Path]) -> None:
    """Load the modules of user-mode-linux; other kernels load modules automatically."""
    for tree in (*trees, Path("/")):
        folder = tree / "usr/lib/uml/modules" / os.uname().release
        if folder.is_dir():
            load_modules(folder)
            return


if __name__ == "__main__":
    _trees = [Path(tree) for tree in sys.argv[3].split(":") if tree]
    _modules(_trees)
    use_tools(_trees)
    asyncio.run(_main(sys.argv[1], sys.argv[2], _trees))

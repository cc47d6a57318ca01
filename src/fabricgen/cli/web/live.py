"""Holds the current state of a site and loads it again after its files changed."""

from __future__ import annotations

import asyncio
import gc
import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from watchfiles import awatch

from fabricgen.api.site import Site
from fabricgen.cli.plain import say
from fabricgen.cli.web.chunk import file_name
from fabricgen.cli.web.chunks import chunks
from fabricgen.cli.web.results import STOPPED, Answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

T = TypeVar("T")
Stamp = dict[str, tuple[int, int, int]]

ATTEMPTS = 5
"""Loads of a site whose files change meanwhile, before the next look."""
WORKERS = 4
"""Answers of one generation that are made at the same time."""
KEPT = 512
"""Answers that a generation keeps. The oldest one is made again when it is asked for."""
LOOK_MS = 2_000
"""Time between two looks at the files, in case that the system reports no change."""
SILENCE = 15.0
"""Seconds until a stream without news sends a comment, which shows that it lives."""


class Generation:
    """One state of a site, with the answers that were made from it."""

    def __init__(self, number: int, site: Site) -> None:
        self.number, self.site = number, site
        self.chunks = {file_name(name): (name, make) for name, make in chunks(site)}
        self._answers: dict[str, asyncio.Task[Answer]] = {}
        self._workers = asyncio.Semaphore(WORKERS)

    async def answer(self, key: str, make: Callable[[], Answer]) -> Answer:
        """Return the answer of a key. It is made once, in a thread, for all who ask."""
        task = self._answers.get(key)
        if task is None:
            task = self._answers[key] = asyncio.create_task(self._work(key, make))
            while len(self._answers) > KEPT:
                del self._answers[next(iter(self._answers))]
        try:
            return await asyncio.shield(task)  # one reader may leave while others wait
        except asyncio.CancelledError:
            if task.cancelled():
                return STOPPED
            raise

    async def _work(self, key: str, make: Callable[[], Answer]) -> Answer:
        try:
            async with self._workers:
                return await in_thread(make)
        except Exception:
            self._answers.pop(key, None)
            raise

    def stop(self) -> None:
        """End all work. Requests that wait for it are refused."""
        for task in self._answers.values():
            task.cancel()


class Live:
    """A site that follows its files.

    Attributes:
        current: The last good generation.
        streams: Number of open event streams.
    """

    def __init__(self, folder: Path, platform: str | None = None) -> None:
        """Load the site."""
        self.folder, self._platform = folder, platform
        self._stamp, site, _ = read_whole(folder, platform)
        self.current = Generation(1, site)
        self.streams = 0
        self._over = asyncio.Event()
        self._changed = asyncio.Event()

    async def watch(self) -> None:
        """Load the site again after each change, until the end."""
        while not self._over.is_set():
            with suppress(OSError, RuntimeError):  # no such folder, or too many watches
                async for _ in awatch(
                    self.folder,
                    watch_filter=None,
                    debounce=400,
                    step=100,
                    rust_timeout=LOOK_MS,
                    yield_on_timeout=True,
                    stop_event=self._over,
                ):
                    await self.refresh()
            if not self._over.is_set():
                await self.refresh()
                await asyncio.sleep(1)

    async def refresh(self) -> None:
        """Load the site again if its files changed. Keep the last good generation on failure."""
        if await in_thread(lambda: stamp_of(self.folder)) == self._stamp:
            return
        try:
            stamp, site, is_whole = await in_thread(lambda: read_whole(self.folder, self._platform))
            if is_whole:  # else the next look tries again
                following = await self._following(site)
                self._stamp = stamp
                self._publish(following)
                await in_thread(gc.collect)  # the generation before is a large circle
        except Exception as error:  # noqa: BLE001 - the server outlives each error of a load
            self._stamp = await in_thread(lambda: stamp_of(self.folder))
            say(f"{self.folder} cannot be loaded ({error}); the pages show it as before", err=True)

    async def _following(self, site: Site) -> Generation:
        number = self.current.number + 1
        return await in_thread(lambda: Generation(number, site))

    def _publish(self, generation: Generation) -> None:
        self.current = generation
        self._changed.set()
        self._changed = asyncio.Event()

    async def numbers(self) -> AsyncIterator[int | None]:
        """Yield the number of the current generation and of each new one; None after a silence."""
        shown = 0
        while not self._over.is_set():
            changed, number = self._changed, self.current.number
            yield number if number != shown else None
            shown = number
            if number == self.current.number:
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), SILENCE)

    def stop(self) -> None:
        """End the watch, the event streams and all work."""
        self._over.set()
        self._changed.set()
        self.current.stop()


def read_whole(folder: Path, platform: str | None) -> tuple[Stamp, Site, bool]:
    """Load a site. The last value is True if its files stayed the same meanwhile."""
    for _ in range(ATTEMPTS):
        before = stamp_of(folder)
        site = Site.load(folder, platform=platform)
        if stamp_of(folder) == before:
            return before, site, True
    return {}, site, False


def stamp_of(folder: Path) -> Stamp:
    """Return time, size and number of each visible file of a folder."""
    found: Stamp = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(root, name)  # noqa: PTH118 - this runs often
            with suppress(OSError):
                facts = os.stat(path)  # noqa: PTH116
                found[path] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    with suppress(OSError):
        found[""] = (stat.S_IFMT(folder.stat().st_mode), 0, 0)  # a missing folder has no entry
    return found


async def in_thread(work: Callable[[], T]) -> T:
    """Run work in a thread. The process may end before the thread does."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def give(value: T | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value, error = None, None
        try:
            value = work()
        except Exception as raised:  # noqa: BLE001 - it is raised where the work is awaited
            error = raised
        with suppress(RuntimeError):  # the loop ended
            loop.call_soon_threadsafe(give, value, error)

    Thread(target=run, daemon=True).start()
    return await future

"""Serves the pages of a site, its data and the answers below `/api`, on request."""

from __future__ import annotations

import asyncio
import re
import signal
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from fabricgen.cli.web.chunk import as_script
from fabricgen.cli.web.endpoints import ENDPOINTS, PREFIX
from fabricgen.cli.web.openapi import document
from fabricgen.cli.web.report import STATIC
from fabricgen.cli.web.results import Answer, answer_of, as_json, problem
from fabricgen.cli.web.security import Guard
from fabricgen.core.diagnostics import Failure

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from typing import Any

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from fabricgen import Site
    from fabricgen.cli.web.endpoints import Endpoint
    from fabricgen.cli.web.live import Live
    from fabricgen.cli.web.security import Access

STREAMS = 256
"""Event streams at the same time."""
CONNECTIONS = 1_024
"""Connections at the same time."""
FAREWELL = 3
"""Seconds until running requests are canceled at the end."""
_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_END = "</body>"


def application(live: Live, access: Access) -> Starlette:
    """Return the application of a site."""
    static = _static()
    policy = _POLICY.search(static["index.html"].body.decode())
    assert policy is not None
    headers = {
        "Content-Security-Policy": f"{policy[1]}; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }

    @asynccontextmanager
    async def watched(_: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(live.watch())
        yield
        live.stop()
        await task

    return Starlette(
        routes=_routes(live, static),
        middleware=[Middleware(Guard, access=access, headers=headers)],
        exception_handlers={404: _nothing},
        lifespan=watched,
    )


def _routes(live: Live, static: Mapping[str, Answer]) -> list[Route]:
    described = _response(as_json(document()))

    async def openapi(_: Request) -> Response:
        return described

    async def icon(_: Request) -> Response:
        return Response(status_code=204)  # a browser asks for one, and the pages have none

    async def other(request: Request) -> Response:
        found = static.get(request.path_params["path"])
        return await _nothing(request) if found is None else _response(found)

    return [
        Route("/", partial(_index, live, static["index.html"])),
        Route("/index.html", partial(_index, live, static["index.html"])),
        Route("/favicon.ico", icon),
        Route("/events", partial(_events, live)),
        Route("/data/{path:path}", partial(_data, live)),
        Route("/api/openapi.json", openapi),
        *(Route(f"{PREFIX}{each.path}", partial(_answer, live, each)) for each in ENDPOINTS),
        Route("/{path:path}", other),
    ]


def _static() -> dict[str, Answer]:
    """Return the files of the application by path, as the only files that can be asked for."""
    paths = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.*")}
    paths["live.js"] = Path(__file__).with_name("live.js")
    return {
        name: Answer(body=path.read_bytes(), kind=_KINDS[path.suffix])
        for name, path in paths.items()
    }


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, media_type=answer.kind)


async def _nothing(_: Request, __: Exception | None = None) -> Response:
    return _response(problem(404, "not-found", "no such address", "/api/openapi.json lists all"))


async def _index(live: Live, index: Answer, _: Request) -> Response:
    """Return the page of a report, with the script that follows the generations."""
    script = f'<script src="live.js" data-generation="{live.current.number}"></script>'
    text = index.body.decode().replace(_END, f"{script}\n{_END}")
    return Response(text, media_type=index.kind)


async def _data(live: Live, request: Request) -> Response:
    generation, path = live.current, request.path_params["path"]
    if path not in generation.chunks:
        return await _nothing(request)
    name, make = generation.chunks[path]
    return _response(await generation.answer(f"data/{path}", partial(_chunk, name, make)))


def _chunk(name: str, make: Callable[[], Any]) -> Answer:
    try:
        return Answer(body=as_script(name, make()).encode(), kind="text/javascript")
    except Failure as failure:
        return answer_of(failure)


async def _answer(live: Live, endpoint: Endpoint, request: Request) -> Response:
    generation = live.current
    try:
        query = request.query_params.multi_items()
        values = endpoint.values(request.path_params, query)
    except Failure as failure:
        return _response(answer_of(failure))
    key = f"{endpoint.path} {sorted(values.items())}"
    make = partial(_told, endpoint, generation.site, values)
    return _response(await generation.answer(key, make))


def _told(endpoint: Endpoint, site: Site, values: Mapping[str, str]) -> Answer:
    try:
        return as_json(endpoint.answer(site, values))
    except Failure as failure:
        return answer_of(failure)


async def _events(live: Live, request: Request) -> Response:
    if live.streams >= STREAMS:
        return _response(problem(503, "busy", f"{STREAMS} pages listen already", "ask later"))
    if request.method == "HEAD":
        return Response(media_type=_Stream.media_type)
    return _Stream(live)


class _Stream(StreamingResponse):
    """Sends a page the number of each generation."""

    media_type = "text/event-stream"

    def __init__(self, live: Live) -> None:
        super().__init__(self._lines())
        self._live = live

    async def _lines(self) -> AsyncIterator[str]:
        async for number in self._live.numbers():
            yield ": no news\n\n" if number is None else f"event: generation\ndata: {number}\n\n"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the reader leaves or the server ends."""
        self._live.streams += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._live.streams -= 1


class _Server(uvicorn.Server):
    """A server whose end by Ctrl-C or SIGTERM is a success."""

    def __init__(self, config: uvicorn.Config, live: Live, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._live, self._tell = live, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report that the server is ready."""
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams first, because they never end by themselves."""
        self._live.stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals until the end. uvicorn would raise them again."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in signals}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def run(live: Live, access: Access, listening: socket.socket, started: Callable[[], None]) -> None:
    """Serve a site until Ctrl-C or SIGTERM."""
    config = uvicorn.Config(
        application(live, access),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",  # of requests nothing is logged: an address may have a token
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=FAREWELL,
    )
    _Server(config, live, started).run([listening])

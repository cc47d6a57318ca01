"""Refuses requests that a browser of another site, another name or a stranger sends."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response

from fabricgen.cli.web.results import Answer, problem
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@\s]+)(?::([0-9]{1,5}))?")
_OWN = ("", "none", "same-origin")
"""Values of Sec-Fetch-Site for a request of our own pages, of a person or of a program."""


@record(kw_only=True)
class Access:
    """Conditions for reading. Each configured proof is needed.

    Attributes:
        token: The secret of readers, or empty.
        proxy_header: A header that a reverse proxy adds for readers that it knows, or empty.
        names: Names of this machine in addresses, next to its IP addresses.
    """

    token: bytes = b""
    proxy_header: str = ""
    names: frozenset[str] = frozenset()


class Guard:
    """Lets allowed requests through and adds security headers to each response."""

    def __init__(self, app: ASGIApp, access: Access, headers: Mapping[str, str]) -> None:
        self._app, self._access, self._headers = app, access, headers
        # A cookie is no token: it is worth nothing after the server ended.
        key = secrets.token_bytes(32)
        self._session = hmac.new(key, access.token, hashlib.sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        request = HTTPConnection(scope)
        answer = self._refusal(request) or self._entrance(request) or self._stranger(request)
        app = self._app if answer is None else answer
        await app(scope, receive, guarded)

    def _refusal(self, request: HTTPConnection) -> Response | None:
        if request.scope["method"] not in ("GET", "HEAD"):
            answer = problem(405, "read-only", "only GET and HEAD are allowed")
            return _response(answer, {"Allow": "GET, HEAD"})
        if not is_own_host(request, self._access.names):
            hint = "ask by the address of the server, or add --public-name"
            return _response(problem(421, "wrong-host", "the Host header is of another name", hint))
        if is_foreign(request.headers):
            return _response(problem(403, "foreign-page", "a page of another site asks"))
        return None

    def _entrance(self, request: HTTPConnection) -> Response | None:
        """Exchange a token in the address for a cookie, so that the address loses it."""
        given = request.query_params.getlist("token")
        if not self._access.token or request.url.path != "/" or not given:
            return None
        if not is_equal(given[0], self._access.token) or self._lacks_proxy(request):
            return self._unknown()
        response = Response(status_code=303, headers={"Location": "./"})
        cookie = self._cookie(request)
        response.set_cookie(cookie, self._session, httponly=True, samesite="strict", path="/")
        return response

    def _stranger(self, request: HTTPConnection) -> Response | None:
        if self._lacks_proxy(request):
            return self._unknown()
        if not self._access.token:
            return None
        kind, _, word = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and is_equal(word.strip(), self._access.token):
            return None
        session = request.cookies.get(self._cookie(request), "")
        return None if is_equal(session, self._session.encode()) else self._unknown()

    def _lacks_proxy(self, request: HTTPConnection) -> bool:
        name = self._access.proxy_header
        values = request.headers.getlist(name) if name else ["-"]
        return len(values) != 1 or not values[0].strip()

    def _unknown(self) -> Response:
        hint = "send `Authorization: Bearer TOKEN`, or open /?token=TOKEN once"
        told = hint if self._access.token else "ask through the reverse proxy"
        answer = problem(401, "unauthorized", "the request proves no right to read", told)
        return _response(answer, {"WWW-Authenticate": "Bearer"})

    @staticmethod
    def _cookie(request: HTTPConnection) -> str:
        """Return the name of the cookie: browsers share cookies between the ports of a host."""
        return f"fabricgen_{request.scope['server'][1]}"


def _response(answer: Answer, headers: Mapping[str, str] | None = None) -> Response:
    return Response(answer.body, answer.status, headers=headers, media_type=answer.kind)


def is_equal(given: str, secret: bytes) -> bool:
    """Compare in a time that does not depend on the secret."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret)


def is_foreign(headers: Headers) -> bool:
    """Return whether a page of another site asks for more than to be left for ours.

    Data is scripts, which a page may load from everywhere: so a foreign page must not get them.
    """
    if headers.get("sec-fetch-site", "") in _OWN:
        return False
    asked = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return asked != ("navigate", "document")


def is_own_host(request: HTTPConnection, names: frozenset[str]) -> bool:
    """Return whether the Host header is a name of this server, or the address of the connection.

    A foreign name that resolves to this address (DNS rebinding) is neither.
    """
    hosts = request.headers.getlist("host")
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if found is None:
        return False
    name, (address, own_port) = found[1].strip("[]").lower(), request.scope["server"]
    if name in names:  # a proxy before us may listen on another port
        return True
    if int(found[2] or 80) != own_port:
        return False
    if name == "localhost":
        return ip_address(address).is_loopback
    try:
        return ip_address(name) == ip_address(address)
    except ValueError:
        return False

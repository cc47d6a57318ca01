"""Send the events of a push to a team's webhooks without delaying the push.

One thread sends them in order. A failing webhook causes one warning, and the push continues.
"""

import html
import json
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from fabricgen.operate.deploy.notify.messages import Hook, News

_TIMEOUT = 5.0  # seconds to wait for an answer of a webhook
_LAST = 15.0  # seconds that the end of a push waits for unsent messages
_LONGEST = 2_000  # characters of a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Content of a message. at: ISO 8601; plan: id of the change; batch: 0 outside of batches."""

    event: News
    site: str
    plan: str
    at: str
    who: str
    said: str
    batch: int = 0


def safe(url: str) -> bool:
    """Check whether a URL is safe: HTTPS, or plain HTTP that stays on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme == "https":
            return bool(host)
        return parts.scheme == "http" and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False


def body(message: Message, style: str) -> bytes:
    """Return the request body for a style.

    Slack gives `&`, `<` and `>` a meaning, for example to notify a channel. They are written as
    entities (https://api.slack.com/reference/surfaces/formatting#escaping).
    """
    if style == "json":
        return json.dumps({"format_version": 1, **asdict(message)}).encode()
    text = f"{message.site}, plan {message.plan}, by {message.who}: {message.said}"
    return json.dumps({"text": html.escape(text, quote=False)}).encode()


class Webhooks:
    """The webhooks of a push. urls: URL by its reference in the hook."""

    def __init__(
        self, hooks: Sequence[Hook], urls: Mapping[str, str], hide: Callable[[str], str]
    ) -> None:
        """Start the sender thread. hide: removes secrets from a text."""
        self._hooks, self._urls, self._hide = hooks, urls, hide
        self._queue: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._failed: dict[str, str] = {}
        self._thread = threading.Thread(target=self._work, name="webhooks", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> None:
        """Queue a message and return at once."""
        self._queue.put(message)

    def close(self, patience: float = _LAST) -> list[str]:
        """Wait for unsent messages; return a sentence for each webhook that failed."""
        self._queue.put(None)
        self._thread.join(patience)
        late = ["webhooks: some messages were not sent in time"] if self._thread.is_alive() else []
        return [f"webhook {name}: {why}" for name, why in dict(self._failed).items()] + late

    def _work(self) -> None:
        while (message := self._queue.get()) is not None:
            for hook in self._hooks:
                if hook.url in self._urls and (not hook.on or message.event.value in hook.on):
                    self._sent(hook, message)

    def _sent(self, hook: Hook, message: Message) -> None:
        hidden = self._hide(message.said)
        said = hidden if len(hidden) <= _LONGEST else f"{hidden[:_LONGEST]}…"
        plain = {**{key: getattr(message, key) for key in _FIELDS}, "said": said}
        try:
            _post(self._urls[hook.url], body(Message(**plain), hook.style))
        except urllib.error.HTTPError as error:
            self._failed.setdefault(hook.url, f"HTTP {error.code}")
        except Exception as error:  # noqa: BLE001 - no webhook error may stop the push
            self._failed.setdefault(hook.url, f"no answer ({type(error).__name__})")


_FIELDS = tuple(Message.__dataclass_fields__)


class _NoRedirectHandler(urllib.request.HTTPRedirectHandler):
    """Rejects redirects: a message is for the configured URL only."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _post(url: str, content: bytes) -> None:
    """Send a request. Plain HTTP bypasses every proxy because it must stay on this machine."""
    near = [] if url.startswith("https:") else [urllib.request.ProxyHandler({})]
    request = urllib.request.Request(  # noqa: S310 - `safe` accepts only HTTP and HTTPS
        url, content, {"Content-Type": "application/json", "User-Agent": "fabricgen"}, method="POST"
    )
    with urllib.request.build_opener(_NoRedirectHandler, *near).open(request, timeout=_TIMEOUT):
        return

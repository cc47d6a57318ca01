"""Extend NAPALM's EOS driver with certificate verification and errors without secrets.

NAPALM verifies no certificate unless it is given a context, and it removes its options from the
caller's dictionary. It also passes on pyeapi's exceptions, which quote commands.
"""

import json
import logging
import re
import ssl
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, ClassVar

from napalm.base.exceptions import CommandErrorException, ConnectAuthError, ConnectionException
from napalm.eos.eos import EOSDriver
from pyeapi.eapilib import CommandError
from pyeapi.eapilib import ConnectionError as EapiUnreachable

from fabricgen.core.tree.keep import Keep
from fabricgen.nos.eos.driver import sessions
from fabricgen.nos.eos.driver.answer import Ended
from fabricgen.nos.eos.driver.batch import answered
from fabricgen.nos.eos.driver.candidate import Command
from fabricgen.nos.eos.driver.company import WAIT
from fabricgen.nos.eos.driver.configuration import hide, normal
from fabricgen.nos.eos.own_lines import MANNER

# A trust file has one of two contents. With authorities, one authority must have signed the
# certificate, which must name the address. With the output of `fabricgen trust`, `# switch` is
# above each switch's own certificate. Then the switch must present exactly that certificate,
# because a certificate that EOS generated names no address.

_BEGIN = "-----BEGIN CERTIFICATE-----"
_PINNED = re.compile(
    rf"^# (\S+)\n({_BEGIN}\n.*?\n-----END CERTIFICATE-----)$", re.MULTILINE | re.DOTALL
)


def trust(name: str, ca_file: str | None, *, insecure: bool) -> ssl.SSLContext:
    """Return a context. ConnectionException if the file has certificates of other switches only."""
    if insecure:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    pinned = _pinned(ca_file) if ca_file else {}
    if not pinned:
        return ssl.create_default_context(cafile=ca_file)
    if name not in pinned:
        raise ConnectionException(f"{ca_file} has no certificate of {name}")
    return _only(pinned[name])


def _pinned(ca_file: str) -> dict[str, str]:
    """Return certificates by switch; none if the file also has other certificates."""
    text = Path(ca_file).read_text(encoding="utf-8")
    pinned = _PINNED.findall(text)
    return dict(pinned) if len(pinned) == text.count(_BEGIN) else {}


def _only(certificate: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cadata=certificate)
    return context


# SSH options are for drivers of other platforms; eAPI does not use them.
_OURS = (
    *("insecure", "ca_file", "known_hosts", "key_file", "host_key_alias", "proxy_command"),
    *("session_wait", "keep"),
)
# pyeapi's log quotes every request and answer: complete configurations, with their secrets.
logging.getLogger("pyeapi.eapilib").addFilter(lambda _record: False)


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return NAPALM's options from a push's options, as a new dictionary."""
    if given.get("proxy_command"):
        raise ValueError("proxy_command is for SSH; eos is reached over HTTPS")
    if given.get("transport", "https") != "https":
        raise ValueError("eos is reached over HTTPS only")
    return {key: value for key, value in given.items() if key not in _OURS} | {"transport": Ended}


class Eapi(EOSDriver):
    """Read access to a switch. Exceptions are NAPALM's and contain no secret.

    LIMITS: optional_args of its slow steps, with their seconds.
    """

    LIMITS: ClassVar = {"session_wait": WAIT}

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: Mapping[str, Any] | None = None,
    ) -> None:
        given = optional_args or {}
        options = _options(given)
        super().__init__(hostname, username, password, timeout, options)  # type: ignore[no-untyped-call]

        self._name = given.get("host_key_alias", hostname)
        self._ca_file: str | None = given.get("ca_file")
        self._wait = float(given.get("session_wait", WAIT))
        self._insecure = given.get("insecure", False) is True
        self._foreign = Keep.of(given.get("keep", {}).get("eos", ""), MANNER)

    def open(self) -> None:
        """Connect, with the current file of certificates. An unreadable file is an error."""
        try:
            context = trust(self._name, self._ca_file, insecure=self._insecure)
        except OSError as error:
            raise ConnectionException(f"{self._ca_file}: {error}") from error
        self.eapi_kwargs["context"] = context
        super().open()  # type: ignore[no-untyped-call]

    def _run_commands(self, commands: Sequence[Command], **kwargs: Any) -> list[dict[str, Any]]:
        try:
            answers: list[dict[str, Any]] = super()._run_commands(  # type: ignore[no-untyped-call]
                list(commands), **kwargs
            )
        except CommandError as error:
            refused: Exception = CommandErrorException(hide(str(error)))
        except (EapiUnreachable, HTTPException, OSError) as error:
            refused = self._unreachable(hide(str(error)))
        except (AttributeError, LookupError, RecursionError, TypeError):
            refused = self._unreachable("the response is no eAPI response")
        else:
            return answers
        raise refused  # outside the handler: pyeapi's exception holds every command

    def read(self, request: str) -> str:
        """Send the requests of a look and return the answers by key as JSON text.

        ConnectionException: the switch does not answer, or not as eAPI does.
        """
        try:
            post = self.device.connection.post  # type: ignore[union-attr]  # AttributeError: closed
            return json.dumps(answered(post, json.loads(request)))
        except (EapiUnreachable, HTTPException, OSError) as error:
            refused: Exception = self._unreachable(hide(str(error)))
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            refused = self._unreachable("the response is no eAPI response")
        raise refused  # outside the handler: the cause holds whole answers

    def _unreachable(self, why: str) -> Exception:
        kind = ConnectAuthError if why.startswith("Unauthorized") else ConnectionException
        return kind(f"{self.hostname}: {why}")

    def _text(self, *commands: str) -> str:
        return str(self._run_commands(commands, encoding="text")[-1]["output"])

    def _running(self) -> str:
        return normal(self._text("show running-config"))

    def _sessions(self) -> sessions.Sessions:
        detail, version = self._run_commands(["show configuration sessions detail", "show version"])
        return sessions.read(detail, version)

    def _get_pending_commits(self) -> dict[str, int]:
        """Return pending commits for NAPALM, which treats 0 seconds as no commit."""
        listing = self._sessions()
        return {listing.timed: max(1, round(listing.seconds))} if listing.timed else {}

"""A file of trusted certificates and a switch's name in; whom TLS believes out.

Such a file is one of two. Authorities: then the certificate must be signed by one of them and name
the address. Or what `fabricgen trust` wrote, `# switch` above each switch's own certificate: then
the switch must show exactly that one, for a certificate that EOS made itself names no address.
"""

import re
import ssl
from pathlib import Path

from napalm.base.exceptions import ConnectionException

_BEGIN = "-----BEGIN CERTIFICATE-----"
_PINNED = re.compile(
    rf"^# (\S+)\n({_BEGIN}\n.*?\n-----END CERTIFICATE-----)$", re.MULTILINE | re.DOTALL
)


def trust(name: str, ca_file: str | None, *, insecure: bool) -> ssl.SSLContext:
    """Return a context. ConnectionException when the file has a certificate of all but this one."""
    if insecure:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    pinned = _pinned(ca_file) if ca_file else {}
    if not pinned:
        return ssl.create_default_context(cafile=ca_file)
    if name not in pinned:
        raise ConnectionException(f"{ca_file} holds no certificate of {name}")
    return _only(pinned[name])


def _pinned(ca_file: str) -> dict[str, str]:
    """Return certificates by switch; none when the file has one that is not a switch's."""
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

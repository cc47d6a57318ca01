"""Declares the services that every switch of a site uses."""

from typing import Annotated

from fabricgen.core.record import record
from fabricgen.model.settings.setting import Address, DomainName, SafeText, Setting


def _servers(text: str, kind: str) -> Setting:
    return Setting(text=text, fact=kind, feature=kind, per_entry=True)


@record(kw_only=True)
class Management:
    """The management network and the services reached through it."""

    ntp: Annotated[tuple[Address, ...], _servers("NTP servers.", "ntp")] = ()
    syslog: Annotated[tuple[Address, ...], _servers("Syslog servers.", "syslog")] = ()
    dns: Annotated[tuple[Address, ...], _servers("DNS servers.", "dns")] = ()
    domain: Annotated[
        DomainName | None,
        Setting(text="DNS domain of the switches.", fact="domain", feature="dns-domain"),
    ] = None
    banner: Annotated[
        SafeText | None, Setting(text="One-line login banner.", fact="banner", feature="banner")
    ] = None

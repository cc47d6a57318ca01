"""Reads the value of a secret from the place that its reference names.

No part of a value goes into a command line, an environment, a file or a message. Error output of a
program or library is not passed on, because it may quote the value.
"""

from __future__ import annotations

import os
import stat
import subprocess
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from fabricgen.operate.deploy.secrets.messages import Found, NoSecret
from fabricgen.operate.deploy.secrets.type7 import bgp7, type7

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.operate.deploy.secrets.messages import Provider

GROUP = "fabricgen.secrets"
"""Entry points of third-party providers; the name is the scheme x-NAME."""
_SOPS_PATIENCE = 120
"""Seconds, enough to touch a hardware token."""
# Exit codes that a user can act on: getsops/sops, cmd/sops/codes/codes.go.
_SOPS_CODES = {
    2: "cannot read the file",
    51: "reports that the file was changed after its encryption",
    52: "found no checksum (MAC) in the file",
    91: "cannot parse the key",
    100: "cannot find the file",
    128: "has no key to decrypt the file",
}


def from_environment(name: str, site: Path) -> Found:
    """Read an environment variable."""
    del site
    value = os.environ.get(name)
    if value is None:
        raise NoSecret("environment variable is not set")
    return Found(value)


def from_file(name: str, site: Path) -> Found:
    """Read a file relative to the site's folder, without its last line end."""
    path = site / name
    try:
        mode = path.stat().st_mode
        value = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise NoSecret(f"{path}: {error.strerror}") from None
    shared = mode & (stat.S_IRWXG | stat.S_IRWXO)
    warning = f"{path} is readable by other users: chmod 600" if shared else ""
    return Found(_bare(value), warning)


def from_sops(name: str, site: Path) -> Found:
    """Decrypt one key of a file with the user's sops and its usual keys.

    `sops -d --extract '["a"]["b"]' FILE` prints only the value. The index of a list is a number
    without quotes (getsops.io/docs, "Extract a sub-part of a document tree").
    """
    file, key = _halves(name, "sops:FILE#key.path")
    tree = "".join(f"[{part}]" if part.isdigit() else f'["{part}"]' for part in key.split("."))
    path = (site / file).resolve()  # starts with '/', so sops does not take it for an option
    try:
        done = subprocess.run(  # noqa: S603
            ["sops", "-d", "--extract", tree, path],  # noqa: S607 - the sops in the user's PATH
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SOPS_PATIENCE,
        )
    except FileNotFoundError:
        raise NoSecret("sops not found: install it") from None
    except OSError as error:
        raise NoSecret(f"sops did not start: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise NoSecret(f"sops did not finish within {_SOPS_PATIENCE} seconds") from None
    if done.returncode:
        reason = _SOPS_CODES.get(done.returncode, f"failed with exit code {done.returncode}")
        raise NoSecret(f"sops {reason}; run `sops -d {path}` for details")
    return Found(_bare(done.stdout.decode("utf-8", "replace")))


def from_vault(name: str, site: Path) -> Found:
    """Read a key of a secret in HashiCorp Vault, KV version 2, with VAULT_ADDR and VAULT_TOKEN.

    The first part of the path is the mount point of the engine. hvac.Client reads both variables
    and VAULT_CACERT. secrets.kv.v2.read_secret_version returns {"data": {"data": {key: value}}}
    (python-hvac.org/en/stable/usage/secrets_engines/kv_v2.html).
    """
    del site
    where, key = _halves(name, "vault:MOUNT/PATH#key")
    mount, _, path = where.partition("/")
    if not path:
        raise NoSecret("invalid reference: write vault:MOUNT/PATH#key")
    held = _read_vault(mount, path)
    if key not in held:
        raise NoSecret("the Vault secret has no key of this name")
    value = held[key]
    if not isinstance(value, str):
        raise NoSecret("the value in Vault is not text")
    return Found(value)


def _read_vault(mount: str, path: str) -> dict[str, object]:
    try:
        import hvac  # noqa: PLC0415 - an extra, and slow to import
        from requests import RequestException  # noqa: PLC0415 - raised by hvac
    except ModuleNotFoundError:
        raise NoSecret("hvac not found: pip install '.[vault]'") from None
    if not os.environ.get("VAULT_ADDR"):
        raise NoSecret("environment variable VAULT_ADDR is not set")
    told = {
        hvac.exceptions.Forbidden: "Vault denied access: check VAULT_TOKEN and its policy",
        hvac.exceptions.InvalidPath: "Vault has no such secret, or the secret was deleted",
        hvac.exceptions.VaultDown: "Vault is sealed or down",
        RequestException: "no answer from Vault at VAULT_ADDR",
    }
    try:
        opened: Any = hvac.Client  # hvac has no types
        client = opened(timeout=15, namespace=os.environ.get("VAULT_NAMESPACE"))
        read = client.secrets.kv.v2.read_secret_version(
            path, mount_point=mount, raise_on_deleted_version=True
        )
        held: dict[str, object] = read["data"]["data"]
    except Exception as error:  # noqa: BLE001 - the text may quote an answer of Vault
        kinds = (reason for kind, reason in told.items() if isinstance(error, kind))
        raise NoSecret(next(kinds, f"Vault or hvac failed: {type(error).__name__}")) from None
    return held


def in_type7(reference: str, site: Path) -> Found:
    """Resolve another reference and encode its value in type 7 of EOS.

    No intent contains this scheme.
    """
    scheme, _, rest = reference.partition(":")
    found = provider(scheme)(rest, site)
    return Found(type7(found.value), found.warning)


def in_bgp7(reference: str, site: Path) -> Found:
    """Resolve another reference and encode its value as EOS stores it for one BGP neighbor."""
    neighbor, _, kept = reference.partition("@")
    scheme, _, rest = kept.partition(":")
    found = provider(scheme)(rest, site)
    return Found(bgp7(neighbor, found.value), found.warning)


BUILT_IN: dict[str, Provider] = {
    "env": from_environment,
    "file": from_file,
    "sops": from_sops,
    "vault": from_vault,
    "type7": in_type7,
    "bgp7": in_bgp7,
}


def provider(scheme: str) -> Provider:
    """Return the provider of a scheme, built-in or third-party.

    Raises:
        NoSecret: No provider reads the scheme.
    """
    if scheme in BUILT_IN:
        return BUILT_IN[scheme]
    points = [point for point in entry_points(group=GROUP) if point.name == scheme]
    if not points:
        raise NoSecret(f"no installed package reads {scheme}: (entry point group {GROUP})")
    try:
        loaded: Provider = points[0].load()
    except Exception as error:  # noqa: BLE001 - third-party code
        why = f"provider {points[0].value} cannot be loaded: {type(error).__name__}"
        raise NoSecret(why) from None
    return loaded


def _halves(name: str, form: str) -> tuple[str, str]:
    where, _, key = name.partition("#")
    if not where or not all(key.split(".")):
        raise NoSecret(f"invalid reference: write {form}")
    return where, key


def _bare(text: str) -> str:
    """Remove the one line end that an editor writes at the end of a file."""
    return text.removesuffix("\n").removesuffix("\r")

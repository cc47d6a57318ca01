"""Write the first-boot CONFIG_DB of a SONiC switch, with its management alone, and ztp.json.

Forms: sonic-net/SONiC doc/ztp/ztp.md@0d8a9b40, sections 3.1 (order of sections by name), 3.2.1 (a
plugin of the user) and 3.2.3 (configdb-json, which ends in `config reload`).
"""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.settings.services import LocalUser
from fabricgen.nos.nos import FirstBoot

START, TABLES, ACCOUNTS = "ztp.json", "config_db.json", "accounts.sh"
_KEPT = ("DEVICE_METADATA", "MGMT_PORT", "MGMT_INTERFACE", "MGMT_VRF_CONFIG", "PORT")


def first_boot(switch_slice: SwitchSlice, files: Mapping[str, str], url: str) -> FirstBoot:
    """Return CONFIG_DB with name, management port and shut ports, and the steps of ZTP.

    Ports have their final form, so that the first push does not split any, but they stay shut until
    that push.
    """
    whole = json.loads(files[TABLES])
    tables = {name: whole[name] for name in _KEPT if name in whole}
    tables["PORT"] = {
        name: {**port, "admin_status": "down"} for name, port in tables["PORT"].items()
    }
    sections: dict[str, Any] = {"02-configdb-json": {"url": {"source": f"{url}/{TABLES}"}}}
    made = {TABLES: _json(tables)}
    keys = [user for user in switch_slice.services.users if user.ssh_key]
    if keys:
        plugin = {"plugin": {"url": f"{url}/{ACCOUNTS}"}}
        sections["01-accounts"] = {**plugin, "halt-on-failure": True}
        made[ACCOUNTS] = "".join(["#!/bin/sh -e\n", *map(_account, keys)])
    made[START] = _json({"ztp": sections})
    return FirstBoot(files=made, start=START)


def _account(user: LocalUser) -> str:
    """Return the commands that create an account with an SSH key; CONFIG_DB has no accounts.

    An admin is in the groups of SONiC's admin (sonic-buildimage build_debian.sh, `usermod -aG`),
    for which sudo needs no password (files/image_config/sudoers).
    """
    name, home = user.name, f"/home/{user.name}"
    groups = " -G sudo,docker" if user.role == "admin" else ""
    key = shlex.quote(str(user.ssh_key))
    return (
        f"id {name} >/dev/null 2>&1 || useradd -m -s /bin/bash{groups} {name}\n"
        f"install -d -m 700 -o {name} -g {name} {home}/.ssh\n"
        f"printf '%s\\n' {key} >{home}/.ssh/authorized_keys\n"
        f"chown {name}:{name} {home}/.ssh/authorized_keys\n"
        f"chmod 600 {home}/.ssh/authorized_keys\n"
    )


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, sort_keys=True) + "\n"

"""Configurations that a release does not take, judged as a person would."""

import contextlib
import io
import json
from pathlib import Path

from fabricgen.cli.main import run


def slow_poll(folder: Path) -> str:
    """Judge a configuration whose watchdog polls less often than its release allows."""
    timers = {"detection_time": "4000", "restoration_time": "4000", "action": "drop"}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "hwsku": "ACS-SN5600"}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "2000"}, "Ethernet0": timers},
        "PORT": {"Ethernet0": {"lanes": "1,2", "speed": "200000"}},
    }
    leaf = folder / "configs" / "leaf1"
    leaf.mkdir(parents=True)
    (leaf / "config_db.json").write_text(json.dumps(tables, indent=4), encoding="utf-8")
    (leaf / "frr.conf").write_text("frr version 10.5.4\nhostname leaf1\n", encoding="utf-8")
    heard = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
        run(["audit", "configs"])
    return heard.getvalue()

"""Insert custom lines and entries into the files of a SONiC switch."""

import re

from fabricgen.nos.own_file import OwnFile
from fabricgen.nos.shared.frr.own_lines import frr_file
from fabricgen.nos.sonic.driver.onswitch.shown import SECRET_FIELDS, SECRET_KEYS, SECRET_VALUES
from fabricgen.nos.sonic.driver.onswitch.tables import OWNED

FRR = frr_file("frr.conf")
_WORDS = SECRET_FIELDS.pattern.removeprefix("(?i)")
CONFIG_DB = OwnFile(
    path="config_db.json",
    secrets=(
        re.compile(rf"((?:{'|'.join(SECRET_KEYS)}) > )(\S+).*"),
        *(re.compile(rf"({t} > \S+ > {f} )(\S.*)") for t, f in SECRET_VALUES.items()),
        re.compile(rf"(\S+ > .+ > \S*(?:{_WORDS})\S* )(\S.*)", re.IGNORECASE),
    ),
    refused=(),
    tables=frozenset(OWNED),
    port="PORT",
    closed=re.compile(
        r"(SCHEDULER|WRED_PROFILE|BUFFER_\w+|QUEUE|PFC_WD|DSCP_TO_TC_MAP|SWITCH_HASH) > (\S+)"
    ),
)

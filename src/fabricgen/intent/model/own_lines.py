"""Defines the intent keys of custom config: text of a network OS, merged into its files."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel

MOST = 20_000
KEY = r"^([!-~]|\{\{ [a-z_.]+ \}\}){1,200}$"
PATH = r"^(?:/[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,100}){2,12}$"
TABLE = r"^[A-Za-z][A-Za-z0-9_.-]{0,62}$"

OwnText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST,
        description="Lines as the device has them, indented below the section they stand in; "
        "`{{ switch.loopback }}` and other facts of the switch may stand in them.",
    ),
]


_TableWord = Annotated[str, Field(pattern=TABLE)]
_Key = Annotated[str, Field(pattern=KEY)]
_Value = Annotated[str, Field(max_length=500)]
OwnTables = Annotated[
    dict[
        _TableWord,
        Annotated[dict[_Key, dict[_TableWord, _Value | list[_Value]]], Field(min_length=1)],
    ],
    Field(min_length=1, max_length=200),
]


OwnFiles = Annotated[
    dict[Annotated[str, Field(pattern=PATH)], OwnText], Field(min_length=1, max_length=100)
]


class OwnLines(IntentModel):
    """Own lines, by the file they go into; a switch takes those of its platform."""

    eos: OwnText | None = Field(None, description="On EOS: lines of eos.cfg.")
    frr: OwnText | None = Field(None, description="On Linux and SONiC: lines of frr.conf.")
    interfaces: OwnText | None = Field(
        None, description="On Linux: stanzas of /etc/network/interfaces."
    )
    config_db: OwnTables | None = Field(
        None,
        description="On SONiC: entries of CONFIG_DB by table, key and field, or without fields.",
    )
    files: OwnFiles | None = Field(
        None, description="On Linux: whole files, by their path: `/etc/motd`."
    )

    @model_validator(mode="after")
    def _says(self) -> OwnLines:
        if all(value is None for value in vars(self).values()):
            raise PydanticCustomError("value", "no lines are said: leave it out")
        return self


class PortLines(IntentModel):
    """Own lines of one port, below its interface; a switch takes those of its platform."""

    eos: OwnText | None = Field(None, description="On EOS: lines below its `interface`.")
    frr: OwnText | None = Field(
        None, description="On Linux and SONiC: lines below its `interface` in frr.conf."
    )
    interfaces: OwnText | None = Field(None, description="On Linux: lines below its `iface`.")
    config_db: Annotated[dict[_TableWord, _Value], Field(min_length=1)] | None = Field(
        None, description="On SONiC: fields of its entry in PORT."
    )

    @model_validator(mode="after")
    def _says(self) -> PortLines:
        if all(value is None for value in vars(self).values()):
            raise PydanticCustomError("value", "no lines are said: leave it out")
        return self


_Patterns = Annotated[str, Field(min_length=1, max_length=MOST)]


class KeptSections(IntentModel):
    """What others own on a switch, by the file it stands in: patterns, one in a line."""

    eos: _Patterns | None = Field(
        None,
        description="On EOS: lines of the running configuration. `*` in a word stands for any "
        "characters of it, `~` at the end for the rest; what is indented below is of a section.",
    )
    frr: _Patterns | None = Field(None, description="On Linux and SONiC: the same of FRR.")
    interfaces: _Patterns | None = Field(
        None, description="On Linux: the same of /etc/network/interfaces."
    )
    files: _Patterns | None = Field(
        None, description="On Linux: paths of files, of those that fabricgen may write."
    )
    config_db: _Patterns | None = Field(
        None, description="On SONiC: tables of CONFIG_DB, or keys of them as `TABLE|key`."
    )

    @model_validator(mode="after")
    def _says(self) -> KeptSections:
        if all(value is None for value in vars(self).values()):
            raise PydanticCustomError("value", "nothing is kept: leave it out")
        return self


UNMANAGED: Any = Field(
    None, description="What others own on the switches, and a push leaves to them."
)
"""The key `unmanaged` of every place that may have it."""
CUSTOM_CONFIG: Any = Field(
    None, description="Own lines: what no other key says, merged into the files."
)
"""The key `custom_config` of every place that may have some."""

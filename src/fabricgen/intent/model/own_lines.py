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
        description="Lines as on the device, indented below their section. `{{ switch.loopback "
        "}}` and other facts of the switch are replaced.",
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
    """Custom config by file. A switch uses the files of its platform."""

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
        None, description="On Linux: complete files by path, for example `/etc/motd`."
    )

    @model_validator(mode="after")
    def _says(self) -> OwnLines:
        if all(value is None for value in vars(self).values()):
            raise PydanticCustomError(
                "value", "the custom config has no lines; add lines or remove it"
            )
        return self


class PortLines(IntentModel):
    """Custom config of one port, below its interface. A switch uses the lines of its platform."""

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
            raise PydanticCustomError(
                "value", "the custom config has no lines; add lines or remove it"
            )
        return self


_Patterns = Annotated[str, Field(min_length=1, max_length=MOST)]


class KeptSections(IntentModel):
    """Unmanaged parts of a switch by file, as one pattern per line."""

    eos: _Patterns | None = Field(
        None,
        description="On EOS: lines of the running configuration. `*` in a word matches any "
        "characters, `~` at the end matches the rest. Indented patterns belong to a section.",
    )
    frr: _Patterns | None = Field(
        None, description="On Linux and SONiC: lines of FRR, as with `eos`."
    )
    interfaces: _Patterns | None = Field(
        None, description="On Linux: lines of /etc/network/interfaces, as with `eos`."
    )
    files: _Patterns | None = Field(
        None, description="On Linux: paths of files that fabricgen could write."
    )
    config_db: _Patterns | None = Field(
        None, description="On SONiC: tables of CONFIG_DB, or keys as `TABLE|key`."
    )

    @model_validator(mode="after")
    def _says(self) -> KeptSections:
        if all(value is None for value in vars(self).values()):
            raise PydanticCustomError("value", "`unmanaged` is empty; add a pattern or remove it")
        return self


UNMANAGED: Any = Field(
    None, description="Unmanaged parts of the switches, which a push does not change."
)
"""The key `unmanaged` of every place that may have it."""
CUSTOM_CONFIG: Any = Field(
    None, description="Custom config that no other key covers, merged into the files."
)
"""The key `custom_config` of every place that may have it."""

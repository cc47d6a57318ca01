"""Defines and validates the login options of switches in inventory/."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fabricgen.intent.model.secret import SecretReference
from fabricgen.operate.deploy.notify.messages import Notify
from fabricgen.operate.deploy.team.policy import Team

Text = Annotated[str, Field(min_length=1, max_length=1024, pattern=r"\A[\x20-\x7e]+\z")]

Seconds = Annotated[int, Field(ge=1, le=7200)]


class Options(BaseModel):
    """How to reach a switch. What is not said comes from the next wider file."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    driver: Text | None = Field(
        None, description="Another driver than the platform's own, by the name of its entry point."
    )
    address: Text | None = Field(
        None, description="Where the switch is reached, instead of its management address."
    )
    port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        None, description="TCP port; 22 for SSH and 443 for eAPI when not said."
    )
    username: Text | None = Field(None, description="Account on the switch.")
    password: SecretReference | None = Field(
        None, description="Where the password is kept; not needed with a key."
    )
    timeout: Annotated[int, Field(ge=1, le=3600)] | None = Field(
        None, description="Seconds until a switch that does not answer is given up; 60."
    )
    key_file: Text | None = Field(None, description="SSH private key.")
    known_hosts: Text | None = Field(None, description="SSH host keys that are trusted.")
    ca_file: Text | None = Field(None, description="TLS certificates that are trusted, PEM.")
    known_as: Text | None = Field(
        None,
        description="The name under which its key or certificate is trusted, where that is "
        "another: after a renaming. {name} of proxy_command is that one, too.",
    )
    proxy_command: Text | None = Field(
        None,
        description="As ssh's ProxyCommand: a program whose input and output lead to the switch; "
        "{name}, {address} and {port} stand for the switch's.",
    )
    insecure: bool | None = Field(
        None, description="Do not check who answers. For a switch in a lab only: hosts.yaml."
    )
    session_wait: Annotated[int, Field(ge=0, le=600)] | None = Field(
        None, description="eos: how long a session of somebody else is waited for; 10."
    )
    updater_timeout: Seconds | None = Field(
        None, description="sonic: how long one run of its config updater may take; 900."
    )
    routing_timeout: Seconds | None = Field(
        None, description="sonic: how long FRR may take to run its new configuration; 180."
    )
    reload_timeout: Seconds | None = Field(
        None, description="sonic: how long services and ports may take after a reload; 900."
    )
    folder: Text | None = Field(
        None, description="A folder, for an outsider's driver that needs one."
    )


class Runner(BaseModel):
    """How the work is spread."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    workers: Annotated[int, Field(ge=1, le=1000)] = Field(
        50, description="Switches that are spoken to at the same time."
    )


class Inventory(BaseModel):
    """The files of inventory/, each under its name."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    nornir: Runner = Runner()
    defaults: Options = Options()
    groups: dict[str, Options] = Field(default_factory=dict)
    hosts: dict[str, Options] = Field(default_factory=dict)
    team: Team | None = None
    notify: Notify = Notify()

"""Defines and validates the login options of switches in inventory/."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fabricgen.intent.model.secret import SecretReference
from fabricgen.operate.deploy.notify.messages import Notify
from fabricgen.operate.deploy.team.policy import Team

Text = Annotated[str, Field(min_length=1, max_length=1024, pattern=r"\A[\x20-\x7e]+\z")]

Seconds = Annotated[int, Field(ge=1, le=7200)]


class Options(BaseModel):
    """Connection options of a switch. A missing option comes from the next wider file."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    driver: Text | None = Field(
        None, description="Entry point of another driver. Default: the driver of the platform."
    )
    address: Text | None = Field(
        None, description="Address for the connection. Default: the management address."
    )
    port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        None, description="TCP port. Default: 22 for SSH, 443 for eAPI."
    )
    username: Text | None = Field(None, description="Account on the switch.")
    password: SecretReference | None = Field(
        None, description="Reference to the password; not needed with a key."
    )
    timeout: Annotated[int, Field(ge=1, le=3600)] | None = Field(
        None, description="Seconds to wait for an answer of the switch. Default: 60."
    )
    key_file: Text | None = Field(None, description="SSH private key.")
    known_hosts: Text | None = Field(None, description="Trusted SSH host keys.")
    ca_file: Text | None = Field(None, description="Trusted TLS certificates, PEM.")
    known_as: Text | None = Field(
        None,
        description="Name in known_hosts or in the certificate, if it differs from the switch, for "
        "example after a renaming. {name} in proxy_command is this name, too.",
    )
    proxy_command: Text | None = Field(
        None,
        description="Program that connects its input and output to the switch, like ProxyCommand "
        "of ssh. {name}, {address} and {port} are replaced.",
    )
    insecure: bool | None = Field(
        None,
        description=(
            "Skip the check of the host key or certificate. For lab switches only, in hosts.yaml."
        ),
    )
    session_wait: Annotated[int, Field(ge=0, le=600)] | None = Field(
        None, description="eos: seconds to wait for the session of another user. Default: 10."
    )
    updater_timeout: Seconds | None = Field(
        None, description="sonic: seconds for one run of the config updater. Default: 900."
    )
    routing_timeout: Seconds | None = Field(
        None, description="sonic: seconds until FRR runs its new configuration. Default: 180."
    )
    reload_timeout: Seconds | None = Field(
        None,
        description="sonic: seconds until services and ports work after a reload. Default: 900.",
    )
    folder: Text | None = Field(None, description="Folder for a third-party driver that needs one.")


class Runner(BaseModel):
    """Options of the runner."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    workers: Annotated[int, Field(ge=1, le=1000)] = Field(
        50, description="Number of simultaneous connections."
    )


class Inventory(BaseModel):
    """The files of inventory/, by name."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)

    nornir: Runner = Runner()
    defaults: Options = Options()
    groups: dict[str, Options] = Field(default_factory=dict)
    hosts: dict[str, Options] = Field(default_factory=dict)
    team: Team | None = None
    notify: Notify = Notify()

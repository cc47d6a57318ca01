"""Defines the static routes of a VRF to networks behind routers without a routing protocol."""

from pydantic import Field

from fabricgen.intent.model.vocabulary import Address, IntentModel, Network


class Route(IntentModel):
    """A network behind a host of the VRF, such as a virtual router or an appliance."""

    to: Network = Field(description="Destination network.")
    by: Address = Field(
        description="Next hop: an address in a subnet of the VRF's VLANs, or the remote end of a "
        "routed port. Routes to one network by different addresses share its traffic."
    )
    announce: bool = Field(False, description="Advertise the network to external routers.")

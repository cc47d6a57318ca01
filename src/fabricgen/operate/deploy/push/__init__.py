"""A plan on its way to switches: batch by batch, undone when the network does not come back."""

"""Push a plan batch by batch and roll back a batch when the network does not recover."""

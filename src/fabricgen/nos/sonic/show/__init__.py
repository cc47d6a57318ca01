"""Read the state of running SONiC switches from Redis, FRR and a few files."""

"""SONiC over SSH: CONFIG_DB through its own config updater, routing through its frr.conf."""

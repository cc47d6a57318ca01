"""Drive SONiC over SSH: CONFIG_DB by its config updater, routing by its frr.conf."""

"""Community SONiC: lowers a switch slice to config_db.json and frr.conf."""

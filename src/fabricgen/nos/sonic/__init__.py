"""Community SONiC: the slice of a switch in, config_db.json and frr.conf out."""

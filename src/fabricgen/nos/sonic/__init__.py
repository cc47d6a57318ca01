"""Lower a switch slice to config_db.json and frr.conf of community SONiC."""

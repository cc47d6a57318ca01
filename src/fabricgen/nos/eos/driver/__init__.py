"""Drive an EOS switch over eAPI: NAPALM's driver plus what a crash-safe push needs."""

"""A switch that runs EOS, over eAPI: NAPALM's driver, and what it lacks for a push that may die."""

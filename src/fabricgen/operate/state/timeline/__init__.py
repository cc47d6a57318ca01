"""Store the changes of running switches over time, and compare states."""

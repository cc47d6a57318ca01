"""Read, record and compare the states of running switches."""

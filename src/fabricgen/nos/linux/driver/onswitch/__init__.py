"""Add the Linux and FRR steps of a commit to the shared agent on the switch (Python 3.9)."""

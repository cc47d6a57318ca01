"""Add the SONiC steps of a commit to the shared agent on the switch (Python 3.9)."""

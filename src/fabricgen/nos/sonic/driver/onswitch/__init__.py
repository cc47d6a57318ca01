"""What is SONiC of a commit; sent to the switch beside the shared agent, Python 3.9."""

"""What is Linux with FRR of a commit; sent to the switch beside the shared agent, Python 3.9."""

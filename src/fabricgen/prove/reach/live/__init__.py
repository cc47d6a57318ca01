"""Compare the path between two endpoints in the model, the files and the running switches."""

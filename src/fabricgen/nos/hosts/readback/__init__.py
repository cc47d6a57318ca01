"""Read the network files of a server for any program, independent of the code that writes them."""

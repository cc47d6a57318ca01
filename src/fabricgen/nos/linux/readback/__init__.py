"""The rendered files read by meaning, apart from what lowers and prints them."""

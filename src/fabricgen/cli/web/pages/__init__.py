"""Makes the data of each page from the library."""

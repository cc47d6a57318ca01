"""Read the meaning of the rendered Linux files, independent of the code that writes them."""

"""Read the meaning of the rendered EOS files, independent of the code that writes them."""

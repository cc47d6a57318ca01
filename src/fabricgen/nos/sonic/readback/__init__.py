"""Read the meaning of the rendered SONiC files, independent of the code that writes them."""

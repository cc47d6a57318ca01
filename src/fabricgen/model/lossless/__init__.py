"""Computes lossless buffers in bytes from lengths, speeds and chips, with their terms."""

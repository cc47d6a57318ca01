"""Computes lossless queues: buffer sizes in bytes from lengths, speeds and chips, with their terms."""

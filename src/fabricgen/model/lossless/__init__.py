"""Arithmetic of lossless queues: lengths, speeds and chips in; bytes with their terms out."""

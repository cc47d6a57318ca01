"""What a push does and has done, kept so that neither kill -9 nor a power cut can hide it."""

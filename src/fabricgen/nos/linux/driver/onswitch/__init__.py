"""The program that runs on the switch: sent over SSH, never installed, standard library alone.

It runs on the Python of Debian, 3.9 and newer.
"""

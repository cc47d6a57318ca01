"""What the EOS templates may see: one class per block, every string, order and default decided.

A class marked `shared` is the same for many switches; it is made once and rendered once.
"""

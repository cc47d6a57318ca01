"""What the templates of EOS may see: frozen records of final strings and numbers.

`because` is why the lines stand there; what is None or empty has no lines.
"""

"""Write the generated pages of docs/reference again."""

import sys

from tests.docs.reference.pages import DOCS, write_pages

if __name__ == "__main__":
    for file in write_pages():
        sys.stdout.write(f"{file.relative_to(DOCS.parent)}\n")

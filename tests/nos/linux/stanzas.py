"""From /etc/network/interfaces: one stanza per interface, its words as lists of values."""


class Stanza(dict[str, list[str]]):
    """The words of one interface; a word may stand there more than once."""

    def one(self, word: str) -> str:
        """Return the value of a word that must stand there once."""
        (value,) = self[word]
        return value


def stanzas(text: str) -> dict[str, Stanza]:
    """Return the stanza of each interface; none may be there twice, and each has its `auto`."""
    found: dict[str, Stanza] = {}
    automatic: set[str] = set()
    current = Stanza()
    for line in text.splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        if word == "auto":
            automatic.add(rest)
        elif word == "iface":
            name = rest.split()[0]
            assert name not in found, f"{name} stands there twice"
            current = found[name] = Stanza()
        else:
            assert line.startswith("    "), line
            current.setdefault(word, []).append(rest)
    assert automatic == set(found)
    return found

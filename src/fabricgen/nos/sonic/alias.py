"""Spells the alias of a port, as the hwsku of its switch ships it."""

LETTERS = "abcdefgh"


def split_alias(native: str, subs: int, sub: int, offset: int) -> str:
    """Spell the alias of an interface by the alias of its cage.

    Args:
        native: Alias of the cage without a split.
        subs: Number of interfaces of the cage.
        sub: Which of them, from 0.
        offset: Number of lanes before it.
    """
    if subs == 1:
        return native
    if native.startswith("etp"):  # etp1a, etp1b
        return f"{native}{LETTERS[sub]}"
    if native.startswith("Ethernet") and native.endswith("/1"):  # Ethernet1/5
        return f"{native[:-1]}{offset + 1}"
    if native.endswith(")"):  # Eth53/2(Port53)
        return native.replace("(", f"/{sub + 1}(")
    return f"{native}/{sub + 1}"


def filled(pattern: str, cage: int, sub: int, offset: int) -> str:
    """Spell an alias by the pattern of a hwsku: etp{cage}{letter}."""
    return pattern.format(cage=cage, letter=LETTERS[sub], sub=sub + 1, lane=offset + 1)

"""Hostile texts: what loops, reaches, grows or nests is refused before anything works it out."""

import pytest

from fabricgen.compile.custom_config.sentences import LONGEST, MOST_LINES, Refused, compiled
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.own_lines import OwnText

IF, END = "{% if switch.name %}", "{% endif %}"
HOSTILE = {
    "class": "{{ ''.__class__ }}",
    "attribute": "{{ switch.__class__ }}",
    "loop": "{% for x in switch %}a{% endfor %}",
    "call": "{{ range(10) }}",
    "power": "{{ 9**9**9 }}",
    "times": "{{ 'a' * 10000000 }}",
    "padding": "{{ '%99999999999s' % 1 }}",
    "macro": "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "file": "{% include '/etc/passwd' %}",
    "nested": IF * 3000 + END * 3000,
    "or else": f"{IF}{'{% elif switch.name %}' * 3000}{END}",
    "brackets": f"{{{{ {'(' * 5000}switch.name{')' * 5000} }}}}",
    "chain": f"{{{{ {' and '.join(['switch.name'] * 5000)} }}}}",
    "number": f"{{{{ {'1' * 100_000} }}}}",
    "long": "a b c\n" * (MOST_LINES * LONGEST),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        compiled(OwnText(kind="eos", text=text, because=Provenance((), "")))

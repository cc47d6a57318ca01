"""Templates of a site's own that try to take the memory or the time of the machine."""

import resource
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call
from tests.diagnostics.planted import LEAF, SITE

from fabricgen.compile import template_limits
from fabricgen.compile.sandbox import renderer
from fabricgen.core.diagnostics import Code, Failure, Severity
from fabricgen.core.own_templates import OwnTemplate

BIG = "4000000000"
DOUBLED = "{% set x = 'ab' %}" + "{% set x = x ~ x %}" * 40
LETTERS = "'" + "a" * 1000 + "'"
HOLDS = f"{{% set a = {LETTERS} * 1000 %}}"
MANY = "{% set ten = [1,2,3,4,5,6,7,8,9,10] %}{% set many = ten * 10000 %}"

TAKING = {
    "a text times a number": f"{{{{ 'a' * {BIG} }}}}",
    "a number times a text": f"{{{{ {BIG} * 'a' }}}}",
    "a list times a number": f"{{% set x = [1] * {BIG} %}}",
    "a power": "{{ 10 ** 1000000000 }}",
    "numbers multiplied again and again": "{% set x = 2 ** 2000 %}" + "{% set x = x * x %}" * 30,
    "a text joined to itself": DOUBLED,
    "a text added to itself": DOUBLED.replace("~", "+"),
    "a list added to itself": DOUBLED.replace("~", "+").replace("'ab'", "[1, 2]"),
    "a text put into itself": DOUBLED.replace("x ~ x", "x.replace('a', x)"),
    "a printed width": "{{ '%99999999d' % 1 }}",
    "a printed width that is a value": "{{ '%*d' % (99999999, 1) }}",
    "a printed precision": "{{ '%.99999999f' % 1 }}",
    "a long text printed often": HOLDS + "{{ ('%s' * 1000) % ((a,) * 1000) }}",
    "a width of format": "{{ '{:>99999999}'.format('x') }}",
    "a width of format that is a value": "{{ '{:>{}}'.format('x', 99999999) }}",
    "the filter format": "{{ '%99999999d' | format(1) }}",
    "the filter center": f"{{{{ 'x' | center({BIG}) }}}}",
    "the method center": f"{{{{ 'x'.center({BIG}) }}}}",
    "the method ljust": f"{{{{ 'x'.ljust({BIG}) }}}}",
    "the method zfill": f"{{{{ 'x'.zfill({BIG}) }}}}",
    "tabs": f"{{{{ '\\t'.expandtabs({BIG}) }}}}",
    "bytes of a number": f"{{{{ (1).to_bytes({BIG}, 'big') | length }}}}",
    "the filter indent": f"{{{{ 'x\\ny' | indent({BIG}) }}}}",
    "the filter indent with a text": HOLDS + "{{ ('\\n' * 100000) | indent(a, blank=true) }}",
    "the filter batch": f"{{{{ [1] | batch({BIG}, 'x') | list }}}}",
    "the filter slice": f"{{{{ [1] | slice({BIG}) | list }}}}",
    "the filter round": f"{{{{ 1.5 | round({BIG}, 'ceil') }}}}",
    "the filter join": HOLDS + MANY + "{{ many | join(a) }}",
    "the method join": HOLDS + MANY + "{{ a.join(many | map('string') | list) }}",
    "the filter replace": HOLDS + "{{ a | replace('a', a) }}",
    "a list of long texts that is printed": HOLDS + MANY + "{% set b = [a] * 90000 %}{{ b }}",
    "lists that are summed": MANY + "{{ ([many] * 100000) | sum(start=[]) | length }}",
    "loops in loops that print": MANY + "{% for a in many %}{% for b in many %}xxxxxxxxxx"
    "{% endfor %}{% endfor %}",
    "loops in loops that print nothing": MANY + "{% for a in many %}{% for b in many %}"
    "{% endfor %}{% endfor %}",
    "a loop that calls itself": MANY + "{% for a in ten recursive %}{{ loop(ten) }}{% endfor %}",
    "a macro that calls itself": "{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}",
    "a macro that doubles": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}"
    "{% endmacro %}{{ m(60) }}",
    "a section of itself": "{{ section('own', view) }}",
    "a text in many names": "".join(
        f"{{% set n{each} = {LETTERS} * 1000 ~ {each} %}}" for each in range(900)
    ),
}


def attempt(text: str) -> Failure:
    with pytest.raises(Failure) as failed:
        renderer((OwnTemplate("own.j2", text, "site/templates/own.j2"),)).section("own", object())
    return failed.value


@pytest.fixture(autouse=True)
def _contained() -> object:
    """Give this process 3 GiB more at most: without the limits a case fails, and the machine lives.

    A worker that ran many tests may have 3 GiB of address space already. With less than it has, the
    stack cannot grow, and Python ends in the middle of a recursion.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + 3 * 2**30
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("case", TAKING)
def test_a_template_that_takes_too_much_is_told_with_its_line(case: str) -> None:
    failure = attempt(f"first line\n{TAKING[case]}\n")
    finding = failure.diagnostic
    assert finding.code is Code.TEMPLATE_LIMIT
    assert finding.severity is Severity.ERROR
    assert finding.position is not None
    assert (finding.position.file, finding.position.line) == ("site/templates/own.j2", 2)


def test_a_file_of_many_small_prints_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_limits, "MAX_FILE", 100)
    finding = attempt("{{ 'x' * 60 }}\n{{ 'x' * 60 }}\n").diagnostic
    assert "prints more than 100 characters" in finding.message
    assert finding.position is not None
    assert finding.position.line in (1, 2)


def test_all_files_of_a_process_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_limits, "MAX_PRINTED", 100)
    made = renderer((OwnTemplate("own.j2", "{{ 'x' * 60 }}", "own.j2"),))
    made.section("own", object())
    with pytest.raises(template_limits.TemplateLimit, match="all files have more than 100"):
        made.section("own", object())


def test_the_limit_of_memory_ends_with_the_file() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    made = renderer((OwnTemplate("own.j2", "{{ 'x' ~ 1 }}{{ '%5d' % 7 }}", "own.j2"),))
    assert made.section("own", object()) == "x1    7"
    attempt(TAKING["a list of long texts that is printed"])
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_what_templates_need_still_works() -> None:
    text = (
        "{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(1) }}"
        "{% for i in [3, 1] | sort %}{{ loop.index }}/{{ loop.length }}{{ i }} {% endfor %}"
        "{% for i in [] %}{% else %}none {% endfor %}"
        "{% for i in [1, [2, [3]]] recursive %}{{ loop(i) if i is iterable else i }}{% endfor %}"
        "{{ 'a' ~ 1 ~ none }} {{ '%-4s|%5.1f' % ('x', 2) }} {{ '{:>4}'.format(7) }}"
        "{{ [1, 2] | join(', ') }}{{ 'x' | center(5) }}{{ 'a\nb' | indent(2) }}{{ 3 * 4 }}"
        "{{ ['a', 'b'] | map('upper') | join }}{{ [1, 2, 3] | batch(2) | list }}{{ 'a-' * 2 }}"
    )
    made = renderer((OwnTemplate("own.j2", text, "own.j2"),)).section("own", object())
    assert made == (
        "<1>1/21 2/23 none 123a1None x   |  2.0    71, 2  x  a\n  b12AB[[1, 2], [3]]a-a-"
    )


def test_verbs_end_with_the_line(tmp_path: Path) -> None:
    own = tmp_path / "site" / "templates" / "eos" / "index.j2"
    own.parent.mkdir(parents=True)
    (tmp_path / "site" / "site.yaml").write_text(SITE)
    shipped = (ROOT / "templates" / "eos" / "index.j2").read_text()
    own.write_text(f"!\n{{{{ 'a' * {BIG} }}}}\n{shipped}")
    for words in (("render", "site", "-o", "out"), ("explain", "site", LEAF, "hostname")):
        told = call(words[0], str(tmp_path / "site"), *words[2:])
        assert told.code == 1
        assert "index.j2:2:1 FG406 the template makes a value of more than" in told.err + told.out

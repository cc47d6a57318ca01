"""Write the commands of fabricgen from their click definitions."""

import inspect
import re
from collections.abc import Iterator

import click

from fabricgen.cli.main import main
from fabricgen.cli.verbs import Verbs

_NOT_SHOWN = ("--help", "--version")


def commands_section() -> str:
    """Return a list of all verbs, and a section for each verb."""
    commands = list(_commands(main, click.Context(main, info_name="fabricgen")))
    rows = [f"| [`{name}`](#{name.replace(' ', '-')}) | {line} |" for name, line, _ in commands]
    overview = "\n".join(["| verb | purpose |", "|--|--|", *rows])
    return "\n\n".join([overview, *(_section(name, context) for name, _, context in commands)])


def _commands(
    group: click.Command, context: click.Context, prefix: str = ""
) -> Iterator[tuple[str, str, click.Context]]:
    """Yield the name, the line of help and the context of each verb that runs."""
    assert isinstance(group, Verbs)
    for verb in group.verbs:
        command = group.get_command(context, verb.name)
        assert command is not None, f"{verb.name} is not installed"
        inner = click.Context(command, info_name=verb.name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, inner, f"{prefix}{verb.name} ")
        else:
            yield f"{prefix}{verb.name}", verb.line, inner


def _section(name: str, context: click.Context) -> str:
    """Return the section of a verb: usage, help, exit codes and options."""
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    paragraphs = [_paragraph(text) for text in inspect.cleandoc(command.help or "").split("\n\n")]
    options = [
        _option(option, context)
        for option in command.get_params(context)
        if isinstance(option, click.Option) and not option.hidden
        if option.opts[-1] not in _NOT_SHOWN
    ]
    table = ["| option | meaning | default |", "|--|--|--|", *options] if options else []
    parts = [f"## {name}", f"```\n{usage}\n```", *paragraphs, "\n".join(table)]
    return "\n\n".join(part for part in parts if part)


def _paragraph(text: str) -> str:
    r"""Return a paragraph of help as Markdown. A paragraph after \b keeps its lines."""
    if text.startswith("\b"):
        lines = text.removeprefix("\b").strip()
        return f"```\n{lines}\n```"
    return _escaped(" ".join(text.split()))


def _option(option: click.Option, context: click.Context) -> str:
    """Return the row of an option."""
    record = option.get_help_record(context)
    assert record is not None, option
    spelling, text = record
    extra = option.get_help_extra(context)
    meaning = re.sub(r"\s*\[[^\]]*\]$", "", text) if extra else text
    meaning = _escaped(meaning)
    if "range" in extra:
        meaning = f"{meaning} Range: `{extra['range']}`."
    if option.multiple:
        meaning = f"{meaning} Repeatable."
    default = "required" if option.required else extra.get("default", "")
    default = f"`{default}`" if default and default != "required" else default
    cells = (f"`{spelling}`", meaning, default)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _escaped(text: str) -> str:
    """Return a text whose asterisks and angle brackets are shown as they are."""
    return re.sub(r"([*<>])", r"\\\1", text)

"""Runs `fabricgen`: parses the command line, calls the verb and returns an exit code.

Exit codes: 0 clean or no change, 1 errors, 2 differences exist, 64 usage, 130 interrupted.
"""

import gc
import io
import os
import sys

import click

from fabricgen import __version__
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import SHELL_VARIABLE, Verb, Verbs

USAGE = 64
INTERRUPTED = 130
VERBS = (
    Verb("init", "write a commented, valid site to start from", "fabricgen.cli.init"),
    Verb(
        "size",
        "size designs before there is an intent, and write that of the one chosen",
        "fabricgen.cli.size",
        needs=("plan",),
    ),
    Verb(
        "compare",
        "count sites side by side, or the fabrics of one",
        "fabricgen.cli.compare",
        needs=("plan",),
    ),
    Verb("schema", "print the JSON Schema of the intent", "fabricgen.cli.schema"),
    Verb("check", "design a site and say everything that is wrong with it", "fabricgen.cli.check"),
    Verb("render", "write the configuration of every switch", "fabricgen.cli.render"),
    Verb("diff", "compare two sites, rendered trees or git revisions", "fabricgen.cli.diff"),
    Verb("explain", "tell which intent and which rule made a line", "fabricgen.cli.explain"),
    Verb("model", "print the vendor-neutral model of a site", "fabricgen.cli.model"),
    Verb(
        "reach",
        "tell who reaches whom, by the model and by what the files say",
        "fabricgen.cli.reach",
        needs=("prove.reach",),
    ),
    Verb(
        "judge",
        "tell what is wrong in configurations that nobody here wrote",
        "fabricgen.cli.judge",
        needs=("prove.audit",),
    ),
    Verb(
        "adopt",
        "write an intent for a network that exists, and say what remains",
        "fabricgen.cli.adopt",
        needs=("importer",),
    ),
    Verb("capabilities", "list what each platform can do", "fabricgen.cli.capabilities"),
    Verb(
        "catalog",
        "list switch models, NICs and chips: what is known, and from where",
        "fabricgen.cli.catalog",
    ),
    Verb(
        "lossless", "print headroom, buffers and marking, with every term", "fabricgen.cli.lossless"
    ),
    Verb(
        "cabling",
        "write where cables begin and end, how long they are, and what is bought",
        "fabricgen.cli.cabling",
        needs=("plan",),
    ),
    Verb(
        "survive",
        "let links, switches and power zones fail, and say what is kept",
        "fabricgen.cli.survive",
        needs=("prove.failures",),
    ),
    Verb(
        "plan",
        "ask the switches what would change, in which order, and how much it hurts",
        "fabricgen.cli.plan",
        needs=("operate",),
    ),
    Verb(
        "approve",
        "sign a plan, so that it may be pushed",
        "fabricgen.cli.approve",
        needs=("operate",),
    ),
    Verb(
        "push",
        "carry a plan out, batch by batch, and undo what the network does not like",
        "fabricgen.cli.push",
        needs=("operate",),
    ),
    Verb(
        "resume",
        "go on with a push that was cut off or left switches behind",
        "fabricgen.cli.resume",
        needs=("operate",),
    ),
    Verb(
        "maintain",
        "take the traffic of switches away for planned work, and bring it back",
        "fabricgen.cli.maintain",
        needs=("operate", "prove.failures"),
    ),
    Verb(
        "rollback",
        "give switches back what they ran before a plan",
        "fabricgen.cli.rollback",
        needs=("operate",),
    ),
    Verb(
        "unlock",
        "give up what dead pushes still hold on switches",
        "fabricgen.cli.unlock",
        needs=("operate",),
    ),
    Verb(
        "drift",
        "tell which switches no longer run what is rendered",
        "fabricgen.cli.drift",
        needs=("operate",),
    ),
    Verb(
        "verify",
        "compare every running switch with the model",
        "fabricgen.cli.verify",
        needs=("operate",),
    ),
    Verb(
        "trust",
        "show the host keys and certificates of switches, for review",
        "fabricgen.cli.trust",
        needs=("operate",),
    ),
    Verb(
        "history",
        "list who pushed what to which switches, and how it ended",
        "fabricgen.cli.history",
        needs=("operate",),
    ),
    Verb("export", "lay a site out for Batfish", "fabricgen.cli.export", needs=("operate",)),
    Verb(
        "lab",
        "boot a site as real FRR switches on this machine",
        "fabricgen.cli.lab",
        needs=("operate",),
    ),
    Verb(
        "completion",
        "print the script with which bash, zsh or fish completes words",
        "fabricgen.cli.completion",
    ),
)


class MainVerbs(Verbs):
    """The verbs of fabricgen."""

    verbs = VERBS


@click.command(cls=MainVerbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fabricgen")
def main() -> None:
    """Compile the intent of an AI data-centre network into switch configuration.

    Exit codes: 0 clean or no change, 1 errors, 2 differences exist, 64 usage, 130 interrupted.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code is what pipelines rely on."""
    gc.set_threshold(500_000, 50, 100)  # a compile makes many objects that live to its end
    if SHELL_VARIABLE in os.environ:
        from fabricgen.cli.completion import register_shells

        register_shells()
    try:
        result = main.main(args=arguments, prog_name="fabricgen", standalone_mode=False)
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        say(words.getvalue(), err=True, nl=False)
        return USAGE if isinstance(error, click.UsageError) else 1
    except (click.Abort, KeyboardInterrupt):
        say("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:  # `fabricgen … | head`: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        from fabricgen.cli.output import print_failure

        if not print_failure(error):
            raise
        return 1
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    sys.exit(run())

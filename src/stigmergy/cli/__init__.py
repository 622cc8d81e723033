# SPDX-License-Identifier: MIT
"""The command `stigmergy`: its commands, how errors are told, the exit codes.

Nothing but click is imported before a command is chosen, so that help and completion are quick.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import Any

import click

from stigmergy.cli.clock import started

__all__ = ["main", "started"]

EXIT_CODES = """
\b
Exit codes:
  0    done, also when a time limit ended the search
  2    the call is wrong: an unknown option, algorithm, parameter or score, a value
       outside of its domain, knowledge that cannot be met
  3    the input cannot be read: data, structure, network
  4    the output cannot be written
  130  Ctrl-C; `learn` writes the best so far first

\b
Completion of names in the shell, for bash (zsh and fish likewise):
  eval "$(_STIGMERGY_COMPLETE=bash_source stigmergy)"
"""

# Name of each command, and what the list of commands says of it; each is in the module of its name.
COMMANDS = {
    "learn": "Learn the structure of a network from data.",
    "score": "Score a structure on data.",
    "shd": "Compare two structures.",
    "sample": "Draw rows from a network.",
    "fit": "Estimate the probabilities of a structure.",
    "convert": "Turn a structure or network into another format.",
    "info": "Describe a table before a run.",
    "networks": "List the gold-standard networks.",
    "algorithms": "List the algorithms and their parameters.",
    "demo": "Learn ALARM from 10,000 rows.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which they are met."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the module of a command."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"stigmergy.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a wrong name is answered with those that are close."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS)
            meant = f"; did you mean {' or '.join(close)}?" if close else ""
            raise click.UsageError(f"there is no command {args[0]!r}{meant}", ctx)
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        from stigmergy import __version__

        click.echo(f"stigmergy {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def group() -> None:
    """Learn the structure of Bayesian networks from data.

    \b
    Example:
      stigmergy learn patients.csv --time-limit 60 -o network.bif -o network.svg
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command; what the package says no to becomes one line and an exit code."""
    warnings.showwarning = _show_warning
    try:
        sys.exit(_run(arguments))
    except click.Abort:
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            click.echo(f"Try '{error.ctx.command_path} --help' for help.", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if isinstance(error, OSError) and _is_of_printing(error):
            # Python tries once more to write what it holds back when it ends, and would say so.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.echo(f"error: cannot write standard output: {error.strerror}", err=True)
            sys.exit(4)
        code = _exit_code(error)
        if code is None:
            raise
        from stigmergy.cli.words import in_options

        click.echo(f"error: {in_options(str(error))}", err=True)
        sys.exit(code)


def _run(arguments: list[str] | None) -> int | None:
    try:
        # What a command gives to `Context.exit` comes back from here.
        code: int | None = group.main(arguments, prog_name="stigmergy", standalone_mode=False)
    except SystemExit as end:
        # click ends with 1 when the reader of our output has enough, as `head` has; all is well.
        return 0 if end.code == 1 else end.code  # type: ignore[return-value]
    return code


def _is_of_printing(error: OSError) -> bool:
    """Tell whether it was `click.echo` that failed, by the innermost call."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code is click.echo.__code__


def _exit_code(error: Exception) -> int | None:
    from stigmergy import errors

    if isinstance(error, errors.OutputError):
        return 4
    if isinstance(error, errors.DataError | errors.StructureError | errors.NetworkError):
        return 3
    if isinstance(error, errors.StigmergyError):
        return 2
    return None


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    from stigmergy.cli.words import in_options

    click.echo(f"warning: {in_options(str(message))}", err=True)

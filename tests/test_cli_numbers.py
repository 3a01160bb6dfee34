"""Every option of every command that takes a number."""

from __future__ import annotations

import click
import pytest
from helpers.command_line import FOUR, cli, invoke

from pylogic_sudoku.commands._options import Seconds, Whole

NUMBERS = [
    (name, max(option.opts, key=len), option.type)
    for name, command in cli.commands.items()
    for option in command.params
    if isinstance(option.type, Whole | Seconds)
]
MAY_BE_0 = {(name, "--limit") for name in ("solve", "count", "compare", "check")}
MAY_BE_0 |= {("serve", "--port")}
WRONG = ["-1", str(10**24), str(2**63), "1e18", "nan", "inf", "-inf", "text", "", "9" * 5000]


def test_every_number_has_limits_of_ours():
    theirs = click.types._NumberParamTypeBase
    for name, command in cli.commands.items():
        assert not [one for one in command.params if isinstance(one.type, theirs)], name
    assert {("solve", "--limit"), ("serve", "--port"), ("check", "--memory")} < {
        (name, option) for name, option, _ in NUMBERS
    }


@pytest.mark.parametrize(("command", "option", "kind"), NUMBERS)
def test_a_wrong_number_is_a_usage_error(command, option, kind):
    for value in WRONG + ["0"] * ((command, option) not in MAY_BE_0):
        done = invoke(command, option, value)
        assert (done.exit_code, done.stdout) == (2, ""), value
        range_of = (
            f"whole number from {kind.least} to {kind.most}"
            if isinstance(kind, Whole)
            else "number of seconds over 0 and up to 1000000"
        )
        assert f"{value!r} is not a {range_of}" in done.stderr


@pytest.mark.parametrize(("command", "option"), sorted(MAY_BE_0))
def test_some_numbers_may_be_0(command, option):
    sources = [] if command == "serve" else [FOUR]
    made = cli.commands[command].make_context(command, [option, "0", *sources])
    assert 0 in made.params.values()


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "-f", "line", "-n", str(2**31 - 1)],
        ["count", "--limit", str(2**31 - 1)],
        ["count", "-t", "1000000"],
    ],
)
def test_the_largest_numbers_work(backend, arguments):
    done = invoke(*arguments, "-b", backend, FOUR)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("\n") == (3 if "solve" in arguments else 1)

"""The command ``rules``."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("kind", required=False)
def rules(kind: str | None) -> None:
    """List the rules beyond plain sudoku, or show one.

    KIND is a name of the list, such as thermometer: how to write the rule, and its programs in ASP,
    the language of clingo, and in Prolog. A puzzle says its rules in JSON and in many formats of
    other people; `convert --help` lists them.

    \b
    pylogic-sudoku rules
    pylogic-sudoku rules thermometer
    """
    from ..rules import KINDS
    from ..rules._rule import no_rule, term
    from ..rules._sources import asp_kernels, asp_section, family, helpers, meaning, prolog_clause

    if kind is None:
        for name in sorted(KINDS):
            fields = ", ".join(KINDS[name].types)
            click.echo(f"{name}({fields})" if fields else name)
            click.echo(click.wrap_text(meaning(KINDS[name]), 78, "    ", "    "))
        return
    made = KINDS.get(kind.lower().replace("-", "_").replace(" ", "_"))
    if made is None:
        raise no_rule(kind)
    example = made(**made.example.fields)
    click.echo(click.wrap_text(meaning(made), 78))
    click.echo("\nFields:" if made.types else "\nIt has no fields.")
    for name, field in made.types.items():
        optional = "; may be left out" if name in made.defaults else ""
        click.echo(f"    {name}: {field.expected}{optional}")
    click.echo(f"\nIn JSON:\n    {json.dumps(example.to_json())}")
    click.echo(f"In Prolog:\n    {term(example)}")
    name = family(made)
    _show(f"ASP: encodings/rules/{name}.lp", asp_section(made.kind), asp_kernels(made.kind))
    _show(f"Prolog: prolog/rules/{name}.pl", prolog_clause(made.kind), helpers(made.kind))


def _show(title: str, program: str, used: dict[str, list[str]]) -> None:
    """Print a program, and by file the predicates that others say."""
    click.echo(f"\n% --- {title} ---\n\n{program}", nl=False)
    if used:
        click.echo("\n% It uses:")
    for file, names in used.items():
        click.echo(click.wrap_text(", ".join(names), 78, f"%   {file}: ", "%      "))

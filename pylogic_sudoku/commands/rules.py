"""The command ``rules``."""

from __future__ import annotations

import click

from ..errors import InvalidPuzzle


@click.command()
@click.argument("kind", required=False)
def rules(kind: str | None) -> None:
    """List the rules beyond plain sudoku, or show one.

    KIND is a name of the list, such as thermometer; its ASP and its Prolog are shown. A puzzle says its rules in JSON and in many
    formats of other people; `convert --help` lists them.
    """
    from ..rules import KINDS
    from ..rules._sources import asp_section, meaning, prolog_clause

    if kind is None:
        for name in sorted(KINDS):
            fields = ", ".join(KINDS[name].types)
            click.echo(f"{name}({fields})" if fields else name)
            click.echo(click.wrap_text(meaning(KINDS[name]), 78, "    ", "    "))
        return
    made = KINDS.get(kind.replace("-", "_"))
    if made is None:
        raise InvalidPuzzle(f"no rule {kind!r} here; expected one of {', '.join(KINDS)}")
    click.echo(click.wrap_text(meaning(made), 78))
    click.echo(f"\nFields: {', '.join(made.types) or 'none'}")
    click.echo(f"\n% --- ASP ---\n\n{asp_section(made.kind)}")
    click.echo(f"% --- Prolog ---\n\n{prolog_clause(made.kind)}", nl=False)

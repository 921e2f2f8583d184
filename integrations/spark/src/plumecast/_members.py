"""The members of an ensemble whose rows are in several partitions: a partition may not have rows of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Union

#: The labels of members, or of columns and lists their number.
Members = Union[Iterable[Any], int]


def part_of(members: Members | None) -> dict[str, Any]:
    """The field `part` of a request, whose data are a part of those with these members; None: the members of the part."""
    if members is None:
        return {}
    if isinstance(members, str) or not isinstance(members, (Iterable, int)):
        raise ValueError(f"members: are not known; received {members!r}; allowed: a list of labels, or their number")
    return {"members": members if isinstance(members, int) else [_label(each) for each in members]}


def sorted_labels(labels: Iterable[Any]) -> list[Any]:
    """Labels in an order that does not depend on that of rows: 2 before 10, m2 before m10."""
    return sorted(labels, key=_rank)


def labels_of_rows(pairs: Iterable[tuple[Any, Any]], options: Mapping[str, Any]) -> list[Any]:
    """The members of one variable, of pairs of a variable and a member. Raises ValueError if it is not known which."""
    found = [(variable, member) for variable, member in pairs if member is not None]
    variables = {variable for variable, _ in found}
    wanted = options.get("variable")
    if len(variables) > 1 and wanted is not None:
        if wanted not in variables:
            raise ValueError(
                f"members: are not known for {wanted!r}, as the rows are of {sorted(map(str, variables))}; allowed: members=, "
                "rows of one variable, or a name that they have"
            )
        found = [(variable, member) for variable, member in found if variable == wanted]
    return sorted_labels({member for _, member in found})


def _label(label: Any) -> str | float:
    """A label as plumecast writes it."""
    plain = label.item() if hasattr(label, "item") else label
    if isinstance(plain, bool):
        return str(plain).lower()
    # Whole numbers may be longer than those of JSON.
    return plain if isinstance(plain, float) else str(plain)


def _rank(label: Any) -> tuple[int, Any]:
    if isinstance(label, (int, float)):
        return 0, label
    texts = re.split(r"(\d+)", str(label))
    return 1, [(int(text), text) if i % 2 else (0, text) for i, text in enumerate(texts)]

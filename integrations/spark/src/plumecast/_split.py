"""Places of partitions that are computed by themselves: each must be whole in one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa


class SplitPlaceError(ValueError):
    """Two partitions have rows of the same place."""


def places_of(rows: pa.Table | pa.RecordBatch, places: Sequence[str], labels: Sequence[str]) -> set[str]:
    """The places of rows as texts; `labels` are what the columns `places` are called there."""
    table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
    found = table.select(list(places)).group_by(list(places)).aggregate([])
    # Zero has two signs, and is one place.
    columns = [[abs(value) if value == 0 else value for value in found.column(name).to_pylist()] for name in places]
    return {", ".join(f"{label} {value}" for label, value in zip(labels, place)) for place in zip(*columns)}


class WholePlaces:
    """Checks that no place is in two partitions."""

    def __init__(self) -> None:
        self._partitions: dict[str, int] = {}

    def add(self, places: Iterable[str], partition: int) -> None:
        """Notes the places of a partition. Raises SplitPlaceError where another one has one of them."""
        for place in places:
            other = self._partitions.setdefault(place, partition)
            if other != partition:
                raise SplitPlaceError(
                    f"partitions {min(other, partition)} and {max(other, partition)}: both have rows of {place}; allowed: all "
                    "rows of a place in one partition"
                )

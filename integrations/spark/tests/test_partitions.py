"""Results do not depend on how the rows of an ensemble are divided: 1 to 64 parts of shuffled rows with gaps."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

import plumecast
from conftest import DAYS, WEEKLY
from plumecast._members import labels_of_rows, part_of, sorted_labels
from plumecast._schema import conform

MEMBERS = [f"m{m}" for m in range(12)]
COUNTS = [1, 2, 3, 5, 8, 17, 32, 64]
SCHEMA = plumecast.result_schema(**WEEKLY)


def long_with_gaps(places: int = 20, seed: int = 3) -> pa.Table:
    """A row for each member, in no order of places: some places have few members, or too few days for a week."""
    random = np.random.default_rng(seed)
    rows: dict[str, list[object]] = {name: [] for name in ("latitude", "longitude", "date", "member", "value")}
    for place in range(places):
        # Of some places half of the members, of some nine of ten, of some six days from a Tuesday on.
        count = {1: 6, 2: 11, 3: 9}.get(place % 5, 12)
        days = DAYS[1:7] if place % 7 == 4 else DAYS
        for member in sorted(random.choice(12, count, replace=False)):
            for day in days:
                if random.random() < 0.02:
                    continue
                rows["latitude"].append(60 - place / 4)
                rows["longitude"].append(-80.0)
                rows["date"].append(int(day))
                rows["member"].append(MEMBERS[member])
                rows["value"].append(float(np.float32(random.random() * 20)))
    table = pa.table({**rows, "date": pa.array(rows["date"], pa.int32()).cast(pa.date32())})
    shuffled = table.take(random.permutation(table.num_rows))
    # The days of a place and member ascend, which plumecast needs.
    return shuffled.take(pc.sort_indices(shuffled, [("date", "ascending")]))


def case(name: str) -> pa.Table:
    """An input that goes wrong, beside the reference data."""
    data = os.environ.get("PLUMECAST_REFERENCE_DATA") or Path(__file__).resolve().parents[4] / "shared" / "data"
    path = Path(data).parent / "cases" / "spark" / name
    if not path.exists():
        pytest.skip(f"no cases in {path}")
    return csv.read_csv(path)


def sorted_rows(table: pa.Table) -> pa.Table:
    return conform(table, SCHEMA).sort_by([("latitude", "descending"), ("start", "ascending")])


def divided(table: pa.Table, count: int) -> list[pa.Table]:
    """All rows of a place in one of the parts, of which some have none."""
    random = np.random.default_rng(count)
    places = pc.unique(table.column("latitude"))
    part_of_place = pa.array(random.integers(0, count, len(places)))
    parts = part_of_place.take(pc.index_in(table.column("latitude"), places))
    return [table.filter(pc.equal(parts, part)) for part in range(count)]


@pytest.fixture(scope="module")
def gaps() -> pa.Table:
    return long_with_gaps()


@pytest.fixture(scope="module")
def expected(gaps: pa.Table) -> pa.Table:
    """What the whole gives at once."""
    results = sorted_rows(plumecast.statistics(gaps, members=MEMBERS, **WEEKLY))
    means = results.filter(pc.equal(results.column("latitude"), 59.75)).column("mean")
    assert len(means) == means.null_count == 4
    assert sorted_rows(plumecast.statistics(gaps, **WEEKLY)).column("n_members").equals(results.column("n_members"))
    return results


def of_arrow(part: pa.Table) -> pa.Table:
    return plumecast.statistics(part, members=MEMBERS, **WEEKLY) if part.num_rows > 0 else SCHEMA.empty_table()


def of_pandas(part: pa.Table) -> pa.Table:
    frame = plumecast.pandas_statistics(part.to_pandas(), members=MEMBERS, **WEEKLY)
    return pa.Table.from_pandas(frame, SCHEMA, preserve_index=False)


def of_polars(part: pa.Table) -> pa.Table:
    polars = pytest.importorskip("polars")
    return plumecast.polars_statistics(polars.from_arrow(part), members=MEMBERS, **WEEKLY).to_arrow()


@pytest.mark.parametrize("compute", [of_arrow, of_pandas, of_polars])
def test_parts_give_what_the_whole_gives(gaps: pa.Table, expected: pa.Table, compute: Callable[[pa.Table], pa.Table]) -> None:
    for count in COUNTS:
        results = [conform(compute(part), SCHEMA) for part in divided(gaps, count)]
        assert sorted_rows(pa.concat_tables(results)).equals(expected), count


def test_files_give_what_the_whole_gives(gaps: pa.Table, expected: pa.Table, tmp_path: Path) -> None:
    for count in [1, 8, 64]:
        results = []
        for index, part in enumerate(divided(gaps, count)):
            if part.num_rows > 0:
                pq.write_table(part, tmp_path / f"{count}-{index}.parquet")
                results.append(plumecast.file_statistics(tmp_path / f"{count}-{index}.parquet", members=MEMBERS, **WEEKLY))
        assert sorted_rows(pa.concat_tables(conform(each, SCHEMA) for each in results)).equals(expected)


def test_dask_gives_what_the_whole_gives(gaps: pa.Table, expected: pa.Table) -> None:
    dd = pytest.importorskip("dask.dataframe")
    import pandas as pd
    from plumecast.dask import ensemble_statistics

    for count in [1, 3, 17, 64]:
        parts = [part.to_pandas() for part in divided(gaps, count)]
        frame = dd.from_map(lambda part: part, parts, meta=parts[0].iloc[:0])
        for members in [None, MEMBERS] if count == 3 else [None]:
            found: pd.DataFrame = ensemble_statistics(frame, members=members, **WEEKLY).compute()
            table = pa.Table.from_pandas(found, SCHEMA, preserve_index=False)
            assert sorted_rows(table).equals(expected), count


def test_members_are_labels_as_the_rows_have_them_or_a_number(gaps: pa.Table) -> None:
    numbers = [int(label[1:]) for label in gaps.column("member").to_pylist()]
    for kind in [pa.int8(), pa.int64(), pa.float32()]:
        table = gaps.set_column(3, "member", pa.array(numbers, pa.int64()).cast(kind))
        for members in [range(12), np.arange(12), pa.array(range(12), kind).to_pylist()]:
            assert plumecast.statistics(table, members=members, **WEEKLY).num_rows > 0
    with pytest.raises(plumecast.RequestError, match='a member that the whole does not have; received "m3"; allowed: m0, m1'):
        plumecast.statistics(gaps.filter(pc.equal(gaps.column("member"), "m3")), members=["m0", "m1"], **WEEKLY)
    for members in [[], ["m0", "m0"], 0, True, -1]:
        with pytest.raises(plumecast.RequestError, match="part.members: "):
            plumecast.statistics(gaps, members=members, **WEEKLY)
    with pytest.raises(ValueError, match="members: are not known; received 'm0'"):
        plumecast.statistics(gaps, members="m0", **WEEKLY)


def test_lists_and_columns_have_the_number_of_members_of_the_whole(wide: pa.Table) -> None:
    names = [name for name in wide.column_names if name[0] == "m"]
    lists = wide.select(["latitude", "longitude", "date"]).append_column(
        "precipitation", pa.array(np.stack([wide.column(name).to_numpy() for name in names], 1).tolist())
    )
    for table in [wide, lists]:
        expected = conform(plumecast.statistics(table, **WEEKLY), SCHEMA)
        assert conform(plumecast.statistics(table, members=5, **WEEKLY), SCHEMA).equals(expected)
        with pytest.raises(plumecast.RequestError, match="the part has another number of members than the whole"):
            plumecast.statistics(table, members=6, **WEEKLY)


def test_a_whole_without_a_complete_window_is_an_error_and_a_part_has_no_results(gaps: pa.Table) -> None:
    short = gaps.filter(pc.less(gaps.column("date"), pa.scalar(int(DAYS[3]), pa.int32()).cast(pa.date32())))
    with pytest.raises(plumecast.RequestError, match="no complete ISO week"):
        plumecast.statistics(short, **WEEKLY)
    assert plumecast.statistics(short, members=MEMBERS, **WEEKLY).num_rows == 0
    assert plumecast.statistics(gaps, members=MEMBERS, start_date="2030-01-07", **WEEKLY).num_rows == 0


def test_members_in_an_order_of_their_own() -> None:
    assert sorted_labels(["m10", "m2", "c", "m1"]) == ["c", "m1", "m2", "m10"]
    assert sorted_labels([10, 2.5, 1]) == [1, 2.5, 10]
    pairs = [("rain", 2), ("rain", 1), ("wind", 3), ("rain", None)]
    assert labels_of_rows(pairs, {"variable": "rain"}) == [1, 2]
    assert labels_of_rows(pairs[:2], {"variable": "precipitation"}) == [1, 2]
    with pytest.raises(ValueError, match="members: are not known for 'tp', as the rows are of .'rain', 'wind'.; allowed: members="):
        labels_of_rows(pairs, {"variable": "tp"})
    assert part_of([True, np.int64(7), 0.5, "a"]) == {"members": ["true", "7", 0.5, "a"]}
    assert part_of(None) == {}

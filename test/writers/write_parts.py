"""
Writes one long table as folders of Parquet partitioned by keys, and as one file, whole.parquet.

    python write_parts.py FOLDER TOOLS

Prints the names of the folders as JSON: those of pyarrow, and of Polars and DuckDB where they are among TOOLS.
"""

import datetime
import importlib
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

root, allowed = sys.argv[1], sys.argv[2].split(",")
PLACES = [(50.5, 7.25), (9.0, -8.5)]
rows = [
    (latitude, longitude, datetime.date(2026, 3, 2) + datetime.timedelta(days=day), member, ((7 * day + 3 * member + latitude) % 11) / 4)
    for latitude, longitude in PLACES
    for day in range(14)
    for member in range(3)
]
table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(["latitude", "longitude", "date", "member", "value"])})
times = table.set_column(2, "date", table["date"].cast(pa.timestamp("us")))
sites = table.append_column("site", pa.array([None if row[0] == 9 else "Köln a/b=%" for row in rows]))
pq.write_table(table, f"{root}/whole.parquet")
folders = []


def tool(name):
    return importlib.import_module(name) if name in allowed else None


def path(name):
    folders.append(name)
    return f"{root}/{name}"


pq.write_to_dataset(table, path("pyarrow-date"), partition_cols=["date"])
pq.write_to_dataset(times, path("pyarrow-time"), partition_cols=["date"])
pq.write_to_dataset(table, path("pyarrow-place"), partition_cols=["latitude", "longitude"])
pq.write_to_dataset(table, path("pyarrow-member"), partition_cols=["member"])
pq.write_to_dataset(sites, path("pyarrow-site"), partition_cols=["site"])
if pl := tool("polars"):
    frame = pl.from_arrow(table)
    frame.write_parquet(path("polars-date") + "/", partition_by=["date"])
    frame.lazy().sink_parquet(pl.PartitionBy(path("polars-date-kept") + "/", key="date", include_key=True), mkdir=True)
if duckdb := tool("duckdb"):
    sql = duckdb.connect()
    sql.register("t", table)
    sql.execute(f"copy t to '{path('duckdb-place')}' (format parquet, partition_by (latitude, longitude))")
    sql.execute(f"copy t to '{path('duckdb-member-kept')}' (format parquet, partition_by (member), write_partition_columns true)")
# One table in parts, without keys; days of a place are in several of them.
for i in range(3):
    os.makedirs(f"{root}/pyarrow-parts", exist_ok=True)
    pq.write_table(table.take(list(range(i, table.num_rows, 3))), f"{root}/pyarrow-parts/part-{i}.parquet")
folders.append("pyarrow-parts")
os.makedirs(f"{root}/arrow-parts")
for i in range(12):
    with pa.OSFile(f"{root}/arrow-parts/part-{i}.arrow", "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.slice(7 * i, 7))
folders.append("arrow-parts")
if pl:
    os.makedirs(f"{root}/polars-parts")
    for i in range(11):
        pl.from_arrow(table).slice(8 * i, 8).write_parquet(f"{root}/polars-parts/{i:08}.parquet")
    folders.append("polars-parts")
if pd := tool("pandas"):
    os.makedirs(f"{root}/spark-csv")
    frame = table.to_pandas()
    for i in range(3):
        frame.iloc[28 * i : 28 * i + 28].to_csv(f"{root}/spark-csv/part-0000{i}-5a1c-c000.csv{'.gz' if i == 1 else ''}", index=False)
    open(f"{root}/spark-csv/_SUCCESS", "w").close()
    folders.append("spark-csv")
if duckdb:
    sql.execute(f"copy t to '{path('duckdb-threads')}' (format parquet, per_thread_output)")
    sql.execute(f"copy t to '{path('duckdb-csv')}' (format csv, per_thread_output)")
print(json.dumps(folders))

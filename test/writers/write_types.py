"""
Writes one ensemble with the column types that pyarrow, pandas, Polars and DuckDB have, into a folder, and prints what it wrote
as JSON.

    python write_types.py FOLDER TOOLS

TOOLS are the modules that may be used.

The ensemble: precipitation of four members, 14 days from Monday, 2 March 2026, at two places, in quarters of a millimetre and
partly below 0, so that signs show.
"""

import datetime
import decimal
import importlib
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
folder, allowed = sys.argv[1], sys.argv[2].split(",")
os.makedirs(folder, exist_ok=True)
files, absent = [], []


def tool(name):
    """A module; None where it is not to be used."""
    if name in allowed:
        return importlib.import_module(name)
    absent.append(name)
    return None


pa, pl, duckdb, pd = tool("pyarrow"), tool("polars"), tool("duckdb"), tool("pandas")
if pa is None:
    print(json.dumps({"files": [], "absent": absent}))
    sys.exit()
import pyarrow.compute as pc
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

MEMBERS, DAYS, PLACES = 4, 14, [(50.5, 7.25), (-51.125, -8.5)]
ROWS = [(place, day, member) for place in range(2) for day in range(DAYS) for member in range(MEMBERS)]
CELLS = [(place, day) for place in range(2) for day in range(DAYS)]
DATE = lambda day: datetime.date(2026, 3, 2) + datetime.timedelta(days=day)
VALUE = lambda place, day, member: ((17 * place + 7 * day + 5 * member * member) % 41 - 4) / 4

LONG = pa.table(
    {
        "latitude": [PLACES[place][0] for place, _, _ in ROWS],
        "longitude": [PLACES[place][1] for place, _, _ in ROWS],
        "date": pa.array([DATE(day) for _, day, _ in ROWS], pa.date32()),
        "member": pa.array([member for _, _, member in ROWS], pa.int64()),
        "value": [VALUE(*row) for row in ROWS],
    }
)
LISTS = [[VALUE(place, day, member) for member in range(MEMBERS)] for place, day in CELLS]


def list_table(column):
    return pa.table(
        {
            "latitude": [PLACES[place][0] for place, _ in CELLS],
            "longitude": [PLACES[place][1] for place, _ in CELLS],
            "date": [DATE(day) for _, day in CELLS],
            "precipitation": column,
        }
    )


def add(name, form, path, scale=1, problem=None):
    files.append({"name": name, "form": form, "path": path, "scale": scale, "problem": problem})


def put(name, table, scale=1, problem=None, parquet=True):
    """Writes a table as an Arrow file in batches of 30 rows, a compressed file, a stream and Parquet."""
    path = lambda ending: os.path.join(folder, f"{name}.{ending}")
    with ipc.new_file(path("arrow"), table.schema) as writer:
        writer.write_table(table, max_chunksize=30)
    with ipc.new_file(path("zstd.arrow"), table.schema, options=ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    with ipc.new_stream(path("arrows"), table.schema) as writer:
        writer.write_table(table, max_chunksize=30)
    for form in ["arrow", "zstd.arrow", "arrows"]:
        add(name, form, path(form), scale, problem)
    if parquet:
        pq.write_table(table, path("parquet"))
        add(name, "parquet", path("parquet"), scale, problem)


def replaced(columns, convert, table=LONG):
    for column in columns:
        values = convert(table[column].combine_chunks())
        table = table.set_column(table.schema.get_field_index(column), pa.field(column, values.type), values)
    return table


def decimals(type):
    step = decimal.Decimal(1).scaleb(-type.scale)
    return lambda values: pa.array([decimal.Decimal(value.as_py()).quantize(step) for value in values], type)


def coded(index, entries=None):
    def convert(values):
        codes = values.dictionary_encode()
        dictionary = codes.dictionary if entries is None else pc.cast(pc.cast(codes.dictionary, pa.string()), entries)
        return pa.DictionaryArray.from_arrays(pc.cast(codes.indices, index), dictionary)

    return convert


cast = lambda type: lambda values: pc.cast(values, type)
text = lambda type: lambda values: pc.cast(pc.cast(values, pa.string()), type)
PLACE = ["latitude", "longitude"]

put("plain", LONG)
for type in [pa.decimal32(7, 3), pa.decimal64(12, 3), pa.decimal128(20, 4), pa.decimal256(50, 12)]:
    put(f"value-{type}", replaced(["value"], decimals(type)))
    put(f"place-{type}", replaced(PLACE, decimals(type)))
put("value-dictionary-of-decimals", replaced(["value"], lambda values: decimals(pa.decimal128(9, 2))(values).dictionary_encode()))
put("member-decimal", replaced(["member"], cast(pa.decimal128(20, 0))))
put("date-decimal", replaced(["date"], lambda dates: decimals(pa.decimal64(18, 0))(pa.array([int(f"{date.as_py():%Y%m%d}") for date in dates]))))
for type in [pa.string(), pa.large_string(), pa.string_view()]:
    put(f"all-{type}", replaced(LONG.column_names, text(type)))
    put(f"value-dictionary-of-{type}", replaced(["value"], coded(pa.int32(), type)), parquet=type != pa.string_view())
put("member-long-views", replaced(["member"], lambda members: pa.array([f"member with a long name {member}" for member in members], pa.string_view())))
put("value-float16", replaced(["value"], cast(pa.float16())))
put("value-dictionary-of-numbers", replaced(["value"], coded(pa.uint16())))
for bits in [8, 16, 32, 64]:
    for kind in ["int", "uint"]:
        integer = getattr(pa, f"{kind}{bits}")()
        put(f"member-{integer}", replaced(["member"], cast(integer)))
        put(f"member-dictionary-by-{integer}", replaced(["member"], coded(integer, pa.string())))
    put(f"value-int{bits}", replaced(["value"], lambda values: pc.cast(pc.multiply(values, 4), getattr(pa, f"int{bits}")())), scale=4)
put("date-date64", replaced(["date"], cast(pa.date64())))
for unit in ["s", "ms", "us", "ns"]:
    put(f"date-{unit}-utc", replaced(["date"], cast(pa.timestamp(unit, "UTC"))))
    put(f"date-dictionary-of-{unit}", replaced(["date"], lambda dates: pc.cast(dates, pa.timestamp(unit)).dictionary_encode()))
    for zone in ["Europe/Berlin", "+02:00"]:
        local = replaced(["date"], lambda dates: pc.assume_timezone(pc.cast(dates, pa.timestamp(unit)), zone))
        put(f"date-{unit}-{zone.replace('/', '-')}", local, problem="daily values of another zone than UTC")
exact = [decimal.Decimal(text) for text in ["0.35", "1.1", "-0.07", "123456.78"]]
types = {"int32": pa.decimal32(9, 3), "int64": pa.decimal64(18, 3), "bytes": pa.decimal128(38, 10), "long": pa.decimal256(60, 20)}
columns = {name: pa.array([value.quantize(decimal.Decimal(1).scaleb(-type.scale)) for value in exact], type) for name, type in types.items()}
pq.write_table(pa.table(columns), os.path.join(folder, "exact.parquet"), store_decimal_as_integer=True)
flat = pa.array([value for values in LISTS for value in values])
starts = list(range(0, len(flat) + 1, MEMBERS))
put("list", list_table(LISTS))
put("list-large", list_table(pa.LargeListArray.from_arrays(starts, flat)))
put("list-fixed", list_table(pa.FixedSizeListArray.from_arrays(flat, MEMBERS)))
put("list-decimal", list_table(pa.ListArray.from_arrays(starts, decimals(pa.decimal64(9, 2))(flat))))
for name, items in {"null": pa.nulls(len(ROWS)), "uuid": pa.array([bytes(16)] * len(ROWS), pa.binary(16)), "binary-view": pa.array([b"x"] * len(ROWS), pa.binary_view()), "struct": pa.array([{"a": 1}] * len(ROWS)), "map": pa.array([[("a", 1)]] * len(ROWS), pa.map_(pa.string(), pa.int8()))}.items():
    put(f"beside-{name}", LONG.append_column("other", items))

with ipc.new_stream(os.path.join(folder, "dictionaries.arrows"), replaced(["member"], coded(pa.int8(), pa.string())).schema) as writer:
    for at in range(0, LONG.num_rows, MEMBERS):
        part = LONG.slice(at, MEMBERS).take(pa.array([(at // MEMBERS + i) % MEMBERS for i in range(MEMBERS)]))
        writer.write_table(replaced(["member"], coded(pa.int8(), pa.string()), part))
add("member-dictionary-of-each-batch", "arrows", os.path.join(folder, "dictionaries.arrows"))

for name, convert in {"bool": lambda values: pc.greater(values, 0), "binary": text(pa.binary()), "duration": lambda values: pc.cast(pc.cast(pc.multiply(values, 4), pa.int64()), pa.duration("s"))}.items():
    problem = {"bool": "Bool: ", "binary": "Binary: ", "duration": "Duration<SECOND>: "}[name]
    put(f"value-{name}", replaced(["value"], convert), problem=problem)
    put(f"date-{name}", replaced(["date"], {"bool": lambda days: pa.array([True] * len(days)), "binary": text(pa.binary()), "duration": lambda days: pa.array([1] * len(days), pa.duration("s"))}[name]), problem=problem)
put("run-ends", replaced(["value"], pc.run_end_encode), problem="column value: has a type of column", parquet=False)
put("lists-of-lists", list_table([[values] for values in LISTS]), problem="lists of lists|precipitation: List<List<Float64>>")
put("lists-of-texts", list_table([[str(value) for value in values] for values in LISTS]), problem="precipitation: List<Utf8>")

if pl:
    long = pl.from_arrow(LONG)
    texts = pl.col("member").cast(pl.String)
    frames = {
        "texts": long.with_columns(texts),
        "categories": long.with_columns(texts.cast(pl.Categorical)),
        "enum": long.with_columns(texts.cast(pl.Enum(["3", "2", "1", "0"]))),
        "decimals": long.with_columns(pl.col("value").cast(pl.Decimal(9, 3))),
        "times": long.with_columns(pl.col("date").cast(pl.Datetime("us", "UTC"))),
        "arrays": pl.from_arrow(list_table(LISTS)).with_columns(pl.col("precipitation").list.to_array(MEMBERS)),
    }
    for name, frame in frames.items():
        for form, write in {"arrow": frame.write_ipc, "lz4.arrow": lambda path: frame.write_ipc(path, compression="lz4"), "arrows": frame.write_ipc_stream, "parquet": frame.write_parquet}.items():
            path = os.path.join(folder, f"polars-{name}.{form}")
            write(path)
            add(f"polars-{name}", form, path)
    path = os.path.join(folder, "polars-int128.arrow")
    long.with_columns((pl.col("value") * 4).cast(pl.Int128)).write_ipc(path)
    add("polars-int128", "arrow", path, problem="column value: .*Int128")

if duckdb:
    sql = duckdb.connect()
    sql.register("long", LONG)
    for name, columns in {
        "decimal-of-int32": "value::decimal(9, 3) as value",
        "decimal-of-int64": "value::decimal(18, 3) as value",
        "decimal-of-bytes": "value::decimal(38, 10) as value",
        "enum": "member::varchar::enum('3', '2', '1', '0') as member",
        "texts": "value::varchar as value, date::varchar as date",
        "nanoseconds": "date::timestamp_ns as date",
        "hugeint": "member::hugeint as member",
    }.items():
        path = os.path.join(folder, f"duckdb-{name}.parquet")
        sql.execute(f"copy (select * replace ({columns}) from long) to '{path}' (format parquet)")
        add(f"duckdb-{name}", "parquet", path)

if pd:
    frame = LONG.to_pandas()
    for name, columns in {
        "category": {"member": frame["member"].astype(str).astype("category")},
        "texts": {"member": frame["member"].astype("string"), "date": frame["date"].astype("str")},
        "nullable": {"member": frame["member"].astype("Int8"), "value": frame["value"].astype("Float32")},
        "times": {"date": pd.to_datetime(frame["date"]).dt.tz_localize("UTC")},
    }.items():
        for form, write in {"parquet": "to_parquet", "feather": "to_feather"}.items():
            path = os.path.join(folder, f"pandas-{name}.{form}")
            getattr(frame.assign(**columns), write)(path)
            add(f"pandas-{name}", form, path)

print(json.dumps({"files": files, "absent": absent}))

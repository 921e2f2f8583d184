"""Small files as other people's programs write them, and with each the bytes that a checksum covers. What is not installed is reported.

Usage: python seeds.py FOLDER. Files go to FOLDER/<reader>/<name>; the bytes covered to FOLDER/covered.json, as lists of
[first byte, byte after the last] by file, or by file within a store.
"""

import json
import os
import shutil
import subprocess
import sys
import zlib

FOLDER = sys.argv[1]
DAYS, MEMBERS, ROWS, COLUMNS = 10, 3, 2, 2
ROWS_ALONE = 1000
covered = {}


def values(day, member, row, column):
    return round(((day * 7 + member * 13 + row * 5 + column * 3) % 23) / 4 + member * 0.125, 3)


def path(reader, name):
    os.makedirs(os.path.join(FOLDER, reader), exist_ok=True)
    return os.path.join(FOLDER, reader, name)


def attempt(what, make):
    try:
        make()
    except Exception as problem:  # A program that is missing or too old leaves its files out.
        print(f"skipped: seeds of {what} ({type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''})")


def tables():
    import datetime

    import pyarrow as pa
    import pyarrow.feather  # noqa: F401
    import pyarrow.ipc as ipc
    import pyarrow.parquet as pq

    first = datetime.date(2026, 3, 2)
    places = [(37.3, -79.84), (37.3, -79.34)]
    wide = {"latitude": [], "longitude": [], "date": []}
    wide.update({f"member_{m:02d}": [] for m in range(MEMBERS)})
    long = {"date": [], "member": [], "name": [], "precipitation": []}
    for place, (latitude, longitude) in enumerate(places):
        for day in range(DAYS):
            wide["latitude"].append(latitude)
            wide["longitude"].append(longitude)
            wide["date"].append(first + datetime.timedelta(days=day))
            for m in range(MEMBERS):
                wide[f"member_{m:02d}"].append(None if (day + m) % 9 == 8 else values(day, m, 0, place))
    for m in range(MEMBERS):
        for day in range(DAYS):
            long["date"].append(datetime.datetime(2026, 3, 2) + datetime.timedelta(days=day))
            long["member"].append(m)
            long["name"].append(["rain", "snow"][m % 2])
            long["precipitation"].append(values(day, m, 0, 0))
    metadata = {"variable": "precipitation", "units": "mm"}
    wide = pa.table(wide, metadata=metadata)
    long = pa.table(long, metadata=metadata)
    coded = long.set_column(2, "name", long["name"].dictionary_encode())
    lists = pa.table(
        {
            "date": [first + datetime.timedelta(days=d) for d in range(DAYS)],
            "precipitation": pa.array(
                [[values(d, m, 0, 0) for m in range(MEMBERS)] for d in range(DAYS)], pa.list_(pa.float32())
            ),
        },
        metadata=metadata,
    )
    fixed = lists.set_column(1, "precipitation", lists["precipitation"].cast(pa.list_(pa.float32(), MEMBERS)))

    arrow = {"wide": wide, "long": long, "coded": coded, "lists": lists, "fixed": fixed}
    for name, table in arrow.items():
        for compression in [None, "lz4", "zstd"] if name in ("wide", "coded") else [None]:
            options = ipc.IpcWriteOptions(compression=compression)
            for reader, opened in (("arrow-file", ipc.new_file), ("arrow-stream", ipc.new_stream)):
                with opened(path(reader, f"pyarrow-{name}-{compression or 'plain'}"), table.schema, options=options) as out:
                    out.write_table(table, max_chunksize=8)

    def parquet(name, table, **options):
        pq.write_table(table, path("parquet", f"pyarrow-{name}.parquet"), **options)

    for codec in ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]:
        parquet(f"wide-{codec}", wide, compression=codec, row_group_size=12)
        parquet(f"checked-{codec}", wide, compression=codec, row_group_size=12, write_page_checksum=True)
    for version in ["1.0", "2.0"]:
        for dictionary in [False, True]:
            kind = f"v{version[0]}-{'coded' if dictionary else 'plain'}"
            options = {"use_dictionary": dictionary, "data_page_version": version, "write_page_checksum": True}
            parquet(f"long-{kind}", long, compression="none", **options)
            parquet(f"pages-{kind}", wide, compression="snappy", data_page_size=16, **options)
            parquet(f"lists-{kind}", lists, compression="none", **options)
    # As many rows as kernels are loaded for.
    many = {"latitude": [], "longitude": [], "date": [], "member_00": [], "member_01": []}
    for place in range(85):
        for day in range(200):
            many["latitude"].append(37.3 - place / 4)
            many["longitude"].append(-79.84)
            many["date"].append(first + datetime.timedelta(days=day))
            many["member_00"].append(values(day % 5, 0, 0, place % 3))
            many["member_01"].append(None if day % 50 == 9 else values(day % 3, 1, 0, 0))
    many = pa.table(many)
    parquet("many", many)
    parquet("many-pages", many, data_page_size=2048, data_page_version="2.0", use_dictionary=["latitude", "date"])
    parquet("unstored", lists, store_schema=False, compression="none")
    encodings = {"date": "DELTA_BINARY_PACKED", "precipitation": "BYTE_STREAM_SPLIT", "name": "DELTA_BYTE_ARRAY"}
    parquet("delta", long, compression="none", use_dictionary=False, column_encoding=encodings)
    lengths = {"name": "DELTA_LENGTH_BYTE_ARRAY", "member": "DELTA_BINARY_PACKED"}
    parquet("lengths", long, compression="none", use_dictionary=False, column_encoding=lengths)

    def polars():
        import polars as pl

        frame = pl.from_arrow(wide)
        frame.write_parquet(path("parquet", "polars.parquet"), compression="zstd")
        frame.write_ipc(path("arrow-file", "polars"), compression="lz4")
        frame.write_csv(path("csv", "polars.csv"))

    def duckdb():
        import duckdb

        target = path("parquet", "duckdb.parquet")
        duckdb.connect().register("wide_table", wide).execute(f"copy wide_table to '{target}' (format parquet)")

    attempt("polars", polars)
    attempt("duckdb", duckdb)

    # Very many row groups, record batches and columns.
    rows = pa.table({"date": [first + datetime.timedelta(days=d) for d in range(ROWS_ALONE)], "precipitation": [1.5] * ROWS_ALONE})
    parquet("large-groups", rows, row_group_size=1)
    columns = {"date": wide["date"][:2], **{f"member_{m}": [m / 4, None] for m in range(3000)}}
    parquet("large-wide", pa.table(columns, metadata=metadata))
    for reader, opened in (("arrow-file", ipc.new_file), ("arrow-stream", ipc.new_stream)):
        options = ipc.IpcWriteOptions(compression="lz4")
        with opened(path(reader, "large-pyarrow-batches"), rows.schema, options=options) as out:
            out.write_table(rows, max_chunksize=1)


ATTRIBUTES = {
    "precip": {"units": "mm", "standard_name": "precipitation_amount"},
    "time": {"units": "days since 2026-03-02", "standard_name": "time", "calendar": "standard"},
    "latitude": {"units": "degrees_north", "standard_name": "latitude"},
    "longitude": {"units": "degrees_east", "standard_name": "longitude"},
    "number": {"standard_name": "realization", "units": "1"},
}
DIMENSIONS = ("number", "time", "latitude", "longitude")


def arrays():
    import numpy as np

    precip = np.array(
        [
            [[[values(d, m, r, c) for c in range(COLUMNS)] for r in range(ROWS)] for d in range(DAYS)]
            for m in range(MEMBERS)
        ],
        "f4",
    )
    return {
        "number": np.arange(MEMBERS, dtype="i4"),
        "time": np.arange(DAYS, dtype="f8"),
        "latitude": np.array([37.5, 37.0]),
        "longitude": np.array([280.0, 280.5]),
        "precip": precip,
    }


def chunk_regions(file, name):
    """Where the chunks of a dataset lie that fletcher32 covers."""
    dataset = file[name]
    spaces = [dataset.id.get_chunk_info(i) for i in range(dataset.id.get_num_chunks())]
    return [[space.byte_offset, space.byte_offset + space.size] for space in spaces]


def netcdf():
    import netCDF4

    def write(reader, name, form, **storage):
        with netCDF4.Dataset(path(reader, name), "w", format=form) as file:
            content = arrays()
            for dimension in DIMENSIONS:
                unlimited = dimension == "time" and "unlimited" in name
                file.createDimension(dimension, None if unlimited else len(content[dimension]))
            for array, data in content.items():
                own = DIMENSIONS if array == "precip" else (array,)
                if array == "precip" and "unlimited" in name:
                    own, data = ("time", "number", "latitude", "longitude"), data.swapaxes(0, 1)
                variable = file.createVariable(array, data.dtype, own, **(storage if array == "precip" else {}))
                variable.setncatts(ATTRIBUTES[array])
                variable[:] = data

    write("netcdf3", "classic.nc", "NETCDF3_CLASSIC")
    write("netcdf3", "classic-unlimited.nc", "NETCDF3_CLASSIC")
    write("netcdf3", "offset-unlimited.nc", "NETCDF3_64BIT_OFFSET")
    write("netcdf3", "data.nc", "NETCDF3_64BIT_DATA")
    write("netcdf4", "contiguous.nc", "NETCDF4", contiguous=True)
    write("netcdf4", "deflated.nc", "NETCDF4", zlib=True, shuffle=True, chunksizes=(1, 5, 2, 2))
    write("netcdf4", "deflated-unlimited.nc", "NETCDF4", zlib=True)
    write("netcdf4", "checked-unlimited.nc", "NETCDF4", fletcher32=True)


def hdf5():
    import h5py

    def write(name, libver, **storage):
        target = path("netcdf4", name)
        with h5py.File(target, "w", libver=libver) as file:
            for array, data in arrays().items():
                dataset = file.create_dataset(array, data=data, **(storage if array == "precip" else {}))
                for key, value in ATTRIBUTES[array].items():
                    dataset.attrs[key] = value
            for dimension in DIMENSIONS:
                file[dimension].make_scale(dimension)
            for at, dimension in enumerate(DIMENSIONS):
                file["precip"].dims[at].attach_scale(file[dimension])
            if storage.get("fletcher32"):
                covered[f"netcdf4/{name}"] = {"": chunk_regions(file, "precip")}

    write("h5py-contiguous.h5", "earliest")
    write("h5py-latest.h5", "latest", chunks=(1, 5, 2, 2), compression="gzip", shuffle=True)
    write("h5py-checked.h5", "earliest", chunks=(1, 5, 2, 2), fletcher32=True)
    write("h5py-checked-latest.h5", "latest", chunks=(1, 5, 2, 2), compression="gzip", shuffle=True, fletcher32=True)
    with h5py.File(path("netcdf4", "checked-unlimited.nc")) as file:
        covered["netcdf4/checked-unlimited.nc"] = {"": chunk_regions(file, "precip")}
    bomb = zlib.compress(bytes(1 << 28))
    target = path("netcdf4", "bomb.h5")
    shutil.copy(path("netcdf4", "h5py-latest.h5"), target)
    with h5py.File(target, "r+") as file:
        file["precip"].id.write_direct_chunk((0, 0, 0, 0), bomb)


CANARY = 31337.25


def references():
    """HDF5 files that refer to others, which are full of a number that no file of these tests has."""
    import h5py
    import numpy as np
    from h5py import h5d, h5p, h5s, h5t

    beside = os.path.abspath(os.path.join(FOLDER, "canary"))
    os.makedirs(beside, exist_ok=True)
    raw, other = os.path.join(beside, "values"), os.path.join(beside, "other.h5")
    shape = (MEMBERS, DAYS, ROWS, COLUMNS)
    known = np.full(shape, CANARY, "f4")
    np.full(4096, CANARY, "f4").tofile(raw)

    def write(name, add, **options):
        target = name if os.path.isabs(name) else path("netcdf4", name)
        with h5py.File(target, "w", **options) as file:
            for array, data in arrays().items():
                if array != "precip":
                    file.create_dataset(array, data=data).attrs.update(ATTRIBUTES[array])
                    file[array].make_scale(array)
            dataset = add(file)
            if dataset is not None:
                dataset.attrs.update(ATTRIBUTES["precip"])
                for at, dimension in enumerate(DIMENSIONS):
                    dataset.dims[at].attach_scale(file[dimension])

    def storage(file):
        return file.create_dataset("precip", shape, "f4", external=[(raw, 0, 200), (raw, 8, known.nbytes - 200)])

    def virtual(source, dataset):
        def add(file):
            layout = h5py.VirtualLayout(shape, "f4")
            layout[:] = h5py.VirtualSource(source, dataset, shape=shape)
            file["kept"] = arrays()["precip"]
            return file.create_virtual_dataset("precip", layout, fillvalue=-1)

        return add

    def growing(file):
        properties = h5p.create(h5p.DATASET_CREATE)
        limits = (h5s.UNLIMITED, *shape[1:])
        space = h5s.create_simple(shape, limits)
        space.select_hyperslab((0,) * 4, (h5s.UNLIMITED, 1, 1, 1), stride=shape, block=shape)
        properties.set_virtual(space, other.encode(), b"/precip%b", h5s.create_simple(shape))
        h5d.create(file.id, b"precip", h5t.IEEE_F32LE, space, dcpl=properties)

    def link(name, target):
        def add(file):
            file[name] = h5py.ExternalLink(other, target)
            file["soft"] = h5py.SoftLink("/" + name)
            return file.create_dataset("kept", data=arrays()["precip"])

        return add

    def filtered(filters, chunk=None):
        """Filters by number and parameters, most of which no library knows, and the bytes of a chunk as they are."""

        def add(file):
            properties = h5p.create(h5p.DATASET_CREATE)
            properties.set_chunk((1, 5, 2, 2))
            for number, parameters in filters:
                properties.set_filter(number, h5py.h5z.FLAG_OPTIONAL, parameters)
            h5d.create(file.id, b"precip", h5t.IEEE_F32LE, h5s.create_simple(shape), dcpl=properties)
            if chunk is not None:
                file["precip"].id.write_direct_chunk((0, 0, 0, 0), chunk)
            return file["precip"]

        return add

    write(other, lambda file: file.create_dataset("precip0", data=known) and file.create_dataset("precip", data=known))
    for name, options in {"": {}, "-latest": {"libver": "latest"}, "-block": {"userblock_size": 512}}.items():
        write(f"storage{name}.h5", storage, **options)
        write(f"link{name}.h5", link("precip", "/precip"), **options)
        write(f"virtual{name}.h5", virtual(other, "/precip"), **options)
    write("link-group.h5", link("group", "/"))
    write("view.h5", virtual(".", "/kept"))
    write("growing.h5", growing, libver="latest")
    odd = {"unknown": [(32015, (1,)), (2, (4,))], "parameters": [(2, (0,)), (1, (99,))], "twice": [(1, (1,)), (1, (1,))]}
    odd |= {"private": [(511, (1, 2, 3))], "sum": [(3, ()), (2, (4,)), (3, ())], "scale": [(2, (4,)), (1, (1,))]}
    for name, filters in odd.items():
        for length in (None, 81):
            try:
                chunk = None if length is None else bytes(length)
                write(f"filter-{name}-{length}.h5", filtered(filters, chunk))
            except (OSError, RuntimeError, ValueError):
                os.remove(path("netcdf4", f"filter-{name}-{length}.h5"))


def zarr_stores():
    import zarr

    def write(name, version, checked=False, **storage):
        target = path("zarr", name)
        shutil.rmtree(target, ignore_errors=True)
        group = zarr.open_group(target, mode="w", zarr_format=version)
        for array, data in arrays().items():
            own = DIMENSIONS if array == "precip" else (array,)
            attributes = dict(ATTRIBUTES[array])
            options = dict(storage) if array == "precip" else {"chunks": data.shape, "compressors": None}
            if version == 3:
                options["dimension_names"] = own
            else:
                attributes["_ARRAY_DIMENSIONS"] = own
            made = group.create_array(array, shape=data.shape, dtype=data.dtype, attributes=attributes, **options)
            made[:] = data
        zarr.consolidate_metadata(target)
        if checked:
            files = os.path.join(target, "precip")
            names = [os.path.join(base, file) for base, _, inside in os.walk(files) for file in inside]
            chunks = [file for file in names if not os.path.basename(file).startswith((".z", "zarr.json"))]
            covered[f"zarr/{name}"] = {os.path.relpath(file, target): [[0, os.path.getsize(file)]] for file in chunks}

    from numcodecs import Blosc, GZip, LZ4, Zlib, Zstd
    from zarr.codecs import BloscCodec, Crc32cCodec, GzipCodec, ZstdCodec

    chunks = (1, 5, 2, 2)
    write("v2-blosc", 2, chunks=chunks, compressors=[Blosc(cname="lz4", shuffle=1)])
    write("v2-blosc-zstd", 2, chunks=chunks, compressors=[Blosc(cname="zstd", shuffle=2)])
    write("v2-zlib", 2, True, chunks=chunks, compressors=[Zlib(1)])
    write("v2-gzip", 2, True, chunks=chunks, compressors=[GZip(1)])
    write("v2-lz4", 2, chunks=chunks, compressors=[LZ4()])
    write("v2-zstd", 2, chunks=chunks, compressors=[Zstd(1)])
    write("v3-zstd", 3, chunks=chunks, compressors=[ZstdCodec(level=1)])
    write("v3-zstd-checked", 3, True, chunks=chunks, compressors=[ZstdCodec(level=1, checksum=True)])
    write("v3-gzip", 3, True, chunks=chunks, compressors=[GzipCodec(level=1)])
    write("v3-blosc", 3, chunks=chunks, compressors=[BloscCodec(cname="lz4")])
    write("v3-crc32c", 3, True, chunks=chunks, compressors=[Crc32cCodec()])
    write("v3-crc32c-zstd", 3, True, chunks=chunks, compressors=[ZstdCodec(level=1), Crc32cCodec()])
    write("v3-sharded", 3, chunks=chunks, shards=(3, 10, 2, 2), compressors=[ZstdCodec(level=1)])
    write("v3-sharded-checked", 3, True, chunks=chunks, shards=(1, 10, 2, 2), compressors=[Crc32cCodec()])


def cdo():
    source = path("netcdf4", "deflated-unlimited.nc")
    for reader, name, options in [("netcdf3", "cdo.nc", ["-f", "nc1"]), ("netcdf4", "cdo.nc", ["-f", "nc4", "-z", "zip_1"])]:
        subprocess.run(["cdo", "-s", *options, "-mulc,1", source, path(reader, name)], check=True, capture_output=True)


for name, make in [
    ("pyarrow", tables),
    ("netCDF4", netcdf),
    ("h5py", hdf5),
    ("h5py that refer to other files", references),
    ("zarr", zarr_stores),
    ("CDO", cdo),
]:
    attempt(name, make)
with open(os.path.join(FOLDER, "covered.json"), "w") as out:
    json.dump(covered, out)

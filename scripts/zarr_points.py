"""Writes values of places as Zarr 3, sharded by place, and measures bytes and the time of random points:

    python zarr_points.py RAW PLACES MEMBERS DAYS

A chunk is a place, a shard 1024 of them, whose values zstd packs after a shuffle of bytes, or without one.
"""
import os
import shutil
import sys
import time

import numpy as np
import zarr
from zarr.codecs import BloscCodec, ZstdCodec

RAW = sys.argv[1]
PLACES, MEMBERS, DAYS = (int(text) for text in sys.argv[2:5])
READS = 500
values = np.memmap(RAW, "<f4", "r", shape=(PLACES, MEMBERS, DAYS))
for name, codec in (("zstd", ZstdCodec(level=3)), ("blosc zstd, shuffled", BloscCodec(cname="zstd", clevel=5, shuffle="shuffle"))):
    path = f"{RAW}.zarr"
    array = zarr.create_array(
        path, shape=values.shape, chunks=(1, MEMBERS, DAYS), shards=(1024, MEMBERS, DAYS), dtype="f4", compressors=[codec]
    )
    array[:] = values
    size = sum(os.path.getsize(os.path.join(root, file)) for root, _, files in os.walk(path) for file in files)
    array = zarr.open_array(path, mode="r")
    times = []
    for i in range(READS):
        cell = i * 7919 % PLACES
        began = time.perf_counter()
        point = array[cell]
        times.append(time.perf_counter() - began)
        assert np.array_equal(point, values[cell], equal_nan=True)
    median = 1e6 * sorted(times)[READS // 2]
    print(f"  zarr-python {zarr.__version__}, {name}: {median:.0f} us a point, {size / PLACES:.0f} bytes a place", flush=True)
    shutil.rmtree(path)

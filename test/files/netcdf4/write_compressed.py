"""Writes compressed.nc to the folder argv[1]: an array for each compression and type that the netCDF4 library offers, and
damaged.nc, where a byte of each chunk of zstd and blosc_lz4 is another one.

Prints the values of all arrays as JSON.
"""

import json
import shutil
import sys

import h5py
import netCDF4
import numpy as np

folder = sys.argv[1]
values = {}
with netCDF4.Dataset(f"{folder}/compressed.nc", "w") as file:
    file.createDimension("y", 70)
    file.createDimension("x", 90)
    for compression in ("zstd", "blosc_lz", "blosc_lz4", "blosc_lz4hc", "blosc_zlib", "blosc_zstd"):
        for kind in ("i1", "i2", "f4", "f8"):
            # Blosc shuffles itself, zstd as HDF5 does; a chunk that is not written has the fill value.
            options = {"shuffle": kind != "f8"} if compression == "zstd" else {"blosc_shuffle": {"i1": 0, "i2": 1}.get(kind, 2)}
            name = f"{compression}_{kind}"
            array = file.createVariable(
                name, kind, ("y", "x"), compression=compression, chunksizes=(40, 40), fill_value=-99, **options
            )
            data = (np.arange(70 * 90).reshape(70, 90) * 7919 % 101 - 50).astype(kind)
            array[:40, :] = data[:40]
            data[40:] = -99
            if kind == "f8":
                array[40:, :] = data[40:] = np.random.default_rng(1).normal(size=(30, 90))
            values[name] = data.ravel().tolist()
shutil.copy(f"{folder}/compressed.nc", f"{folder}/damaged.nc")
with h5py.File(f"{folder}/damaged.nc") as file:
    chunks = [file[name].id.get_chunk_info(i) for name in ("zstd_f4", "blosc_lz4_f4") for i in range(3)]
with open(f"{folder}/damaged.nc", "r+b") as file:
    for chunk in chunks:
        # The size that the header of the frame, or of the chunk, states.
        file.seek(chunk.byte_offset + 5)
        (byte,) = file.read(1)
        file.seek(chunk.byte_offset + 5)
        file.write(bytes([byte ^ 0xFF]))
print(json.dumps(values))

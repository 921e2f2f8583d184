"""Writes HDF5 files to the folder argv[1]: chunks with every order of filters and every index, and damaged ones.

The values that h5py reads are in `expected.json`, by file and array.
"""

import ctypes
import glob
import itertools
import json
import os
import sys
import zlib

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z

FOLDER = sys.argv[1]
SHAPE, CHUNK = (7, 9), (3, 4)
DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3
NAMES = {DEFLATE: "deflate", SHUFFLE: "shuffle", FLETCHER32: "fletcher32"}
ORDERS = [order for length in range(4) for order in itertools.product(NAMES, repeat=length)]
UNLIMITED = h5s.UNLIMITED
DONT_FILTER_EDGES = 2
VALUES = (np.arange(63).reshape(SHAPE) * 1.25 - 7).astype("f4")
LIBRARY = glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*"))
kept = []


def word(order):
    return "-".join(NAMES[number] for number in order) or "plain"


def create(file, name, order, shape=SHAPE, chunk=CHUNK, limits=None, kind=h5t.IEEE_F32LE, edges=False, early=False):
    properties = h5p.create(h5p.DATASET_CREATE)
    properties.set_chunk(chunk)
    if edges:
        # h5py has no name for it, but the library that comes with it does.
        ctypes.CDLL(LIBRARY[0]).H5Pset_chunk_opts(ctypes.c_int64(properties.id), ctypes.c_uint(DONT_FILTER_EDGES))
    if early:
        properties.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    for number in order:
        properties.set_filter(number, h5z.FLAG_OPTIONAL, {DEFLATE: (1,), SHUFFLE: (4,)}.get(number, ()))
    space = h5s.create_simple(shape, limits or shape)
    return h5py.Dataset(h5d.create(file.id, name.encode(), kind, space, dcpl=properties))


def add(file, name, order, values=VALUES, **options):
    made = create(file, name, order, values.shape, **options)
    made.id.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values))
    keep(made)


def keep(made):
    kept.append((os.path.basename(made.file.filename), made.name[1:]))


for libver in ("earliest", "v108", "latest"):
    for block in (0, 512):
        path = f"{FOLDER}/{libver}-{block}.h5"
        with h5py.File(path, "w", libver=libver, userblock_size=block or None) as file:
            for order in ORDERS:
                add(file, word(order), order)
            for order in ((), (SHUFFLE,), (DEFLATE,), (SHUFFLE, DEFLATE, FLETCHER32)):
                add(file, f"big {word(order)}", order, kind=h5t.IEEE_F32BE)
                add(file, f"single {word(order)}", order, chunk=SHAPE)
                add(file, f"first grows {word(order)}", order, limits=(UNLIMITED, 9))
                add(file, f"last grows {word(order)}", order, limits=(20, UNLIMITED))
                add(file, f"limited {word(order)}", order, limits=(20, 31))
                add(file, f"both grow {word(order)}", order, limits=(UNLIMITED, UNLIMITED))
                add(file, f"early {word(order)}", order, early=True)
                if libver == "latest" and LIBRARY:
                    add(file, f"plain edges {word(order)}", order, edges=True)

MANY = 150_000
with h5py.File(f"{FOLDER}/many.h5", "w", libver="latest") as file:
    values = np.arange(MANY, dtype="f4")
    for order in ((), (FLETCHER32,)):
        for name, limit in {"fixed": MANY, "grows": UNLIMITED}.items():
            made = create(file, f"{name} {word(order)}", order, (MANY,), (1,), (limit,))
            for part in (slice(0, 3), slice(300, 1100), slice(MANY - 2000, MANY - 3)):
                made[part] = values[part]
            keep(made)
        made = create(file, f"tree {word(order)}", order, (5000, 1), (1, 1), (UNLIMITED, UNLIMITED))
        made[:4000] = values[:4000, None]
        keep(made)


def shuffled(data):
    whole = len(data) // 4 * 4
    return np.frombuffer(data[:whole], "u1").reshape(-1, 4).T.tobytes() + data[whole:]


def folded(total):
    """In ones' complement, where 65535 stays."""
    return (total - 1) % 65535 + 1 if total > 0 else 0


def with_sum(data):
    words = np.frombuffer(data + b"\0" * (len(data) % 2), ">u2").tolist()
    one = two = 0
    for value in words:
        one, two = folded(one + value), folded(two + folded(one + value))
    return data + (two << 16 | one).to_bytes(4, "little")


ENCODE = {DEFLATE: zlib.compress, SHUFFLE: shuffled, FLETCHER32: with_sum}


def encoded(data, order, skipped=0):
    for at, number in enumerate(order):
        if not skipped >> at & 1:
            data = ENCODE[number](data)
    return data


PLAIN = VALUES[:3, :4].tobytes()
PACKED = {"scaleoffset": {"scaleoffset": 0}}
for kind, way, block in itertools.product(("u1", "i2", "f4", "f8"), ("nn", "ec"), (4, 16, 32)):
    szip = {"dtype": kind, "compression": "szip", "compression_opts": (way, block)}
    PACKED |= {f"szip {kind} {way} {block}": szip, f"szip {kind} {way} {block} odd": szip}
with h5py.File(f"{FOLDER}/masks.h5", "w", libver="latest") as file:
    for order in ORDERS:
        for skipped in range(1, 2 ** len(order)):
            made = create(file, f"{word(order)} {skipped}", order, (6, 4))
            made.id.write_direct_chunk((0, 0), encoded(PLAIN, order, skipped), skipped)
            keep(made)

for libver in ("earliest", "latest"):
    with h5py.File(f"{FOLDER}/damaged-{libver}.h5", "w", libver=libver) as file:

        def damaged(name, order, data, **options):
            create(file, name, order, **options).id.write_direct_chunk((0, 0), data)

        # Without filters, indexes of new files have no lengths that could be wrong.
        for order in ORDERS[0 if libver == "earliest" else 1 :]:
            for name, data in {"short": PLAIN[:24], "odd": PLAIN[:23], "empty": b"", "long": PLAIN + bytes(4)}.items():
                stored = encoded(data, order)
                if len(stored) > 0:
                    damaged(f"{name} {word(order)}", order, stored)
            if len(order) > 0:
                damaged(f"cut {word(order)}", order, encoded(PLAIN, order)[:-3])
            damaged(f"big {word(order)}", order, encoded(PLAIN[:24], order), kind=h5t.IEEE_F32BE)
            text = h5t.C_S1.copy()
            text.set_size(4)
            damaged(f"text {word(order)}", order, encoded(PLAIN[:24], order), kind=text)
        for name, options in PACKED.items():
            kind = options.get("dtype", "i4")
            shape = (3, 1366) if name.endswith("odd") else (1, 4096)
            values = (np.arange(np.prod(shape)).reshape(shape) ** 2 % 30011).astype(kind)
            values.flat[500:2500] = 7
            whole = file.create_dataset(f"whole {name}", data=values, chunks=shape, **options)
            keep(whole)
            file.flush()
            stored = whole.id.read_direct_chunk((0, 0))[1]
            # Few bytes less may be whole: szip fills lines up to blocks, and scaleoffset has a byte more than it needs.
            for length in (3, 20, len(stored) // 2, len(stored) * 9 // 10):
                cut = file.create_dataset(f"{name} {length}", shape, chunks=shape, **{"dtype": kind, **options})
                cut.id.write_direct_chunk((0, 0), stored[:length])

# What was written to a chunk directly is read rightly once the file is opened anew.
expected = {}
for name in dict(kept):
    with h5py.File(f"{FOLDER}/{name}") as file:
        arrays = [array for own, array in kept if own == name]
        expected[name] = {array: file[array][()].astype("f8").ravel().tolist() for array in arrays}
with open(f"{FOLDER}/expected.json", "w") as out:
    json.dump(expected, out)

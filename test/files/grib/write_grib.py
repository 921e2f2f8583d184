"""Writes messages of GRIB with ecCodes and GDAL, and what ecCodes reads from them.

    python write_grib.py write FOLDER             writes files of all packings into FOLDER
    python write_grib.py edition-1 FOLDER         writes those of edition 1 only
    python write_grib.py read FILE...             reads files

Prints a JSON list of {"file", "fields"}: for each field of a file SHA-256 of its values, float64 with the lowest byte first and NaN
where a value is missing; null where ecCodes cannot read them.
"""

import hashlib
import itertools
import json
import os
import sys

import eccodes as ec
import numpy as np

MISSING = 1e300
# Within the limits of IBM's numbers.
MISSING_OF_EDITION_1 = 1e10
listed = []


def values_of(handle):
    """The values of a message, NaN where they are missing."""
    ec.codes_set_double(handle, "missingValue", MISSING)
    values = ec.codes_get_double_array(handle, "values")
    return np.where(values == MISSING, np.nan, values)


def digest(handle):
    try:
        return hashlib.sha256(values_of(handle).astype("<f8").tobytes()).hexdigest()
    except ec.CodesInternalError:
        return None


def decode(path):
    """Lists a file and what its fields are."""
    ec.codes_grib_multi_support_on()
    fields = []
    with open(path, "rb") as file:
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            fields.append(digest(handle))
            ec.codes_release(handle)
    listed.append({"file": path, "fields": fields})


def combinations(step, *choices):
    """All combinations in a full check, else one of so many: steps that no number of choices shares keep each choice."""
    every = list(itertools.product(*choices))
    return every if "PLUMECAST_FULL_CHECK" in os.environ else every[::step]


def message(values, packing, **keys):
    """The bytes of a message of a grid of one row."""
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key, value in {"Ni": len(values), "Nj": 1, "numberOfDataPoints": len(values)}.items():
        ec.codes_set(handle, key, value)
    late = {key: keys.pop(key) for key in list(keys) if key in ("bitsPerValue", "decimalPrecision")}
    if np.isnan(values).any() and "missingValueManagementUsed" not in keys:
        ec.codes_set(handle, "bitmapPresent", 1)
    ec.codes_set(handle, "packingType", packing)
    for key, value in {**keys, **late}.items():
        ec.codes_set(handle, key, value)
    ec.codes_set_double(handle, "missingValue", MISSING)
    ec.codes_set_double_array(handle, "values", np.where(np.isnan(values), MISSING, values))
    data = ec.codes_get_message(handle)
    ec.codes_release(handle)
    return data


def write(name, messages, ending="grib2"):
    path = os.path.join(folder, f"{name}.{ending}")
    with open(path, "wb") as file:
        for data in messages:
            file.write(data)
    decode(path)


def series(kind, size, seed):
    """Values of a shape: what is smooth, what jumps, runs of zeros, few levels."""
    random = np.random.default_rng(seed)
    if kind == "smooth":
        return 280 + np.cumsum(random.normal(size=size))
    if kind == "noise":
        return random.uniform(-1e4, 1e4, size)
    if kind == "zeros":
        return np.where(random.uniform(size=size) < 0.97, 0.0, random.exponential(size=size)) * (np.arange(size) % 900 > 500)
    return random.integers(0, 3, size).astype(float)


def with_gaps(values, share, seed):
    return np.where(np.random.default_rng(seed).uniform(size=len(values)) < share, np.nan, values)


def simple():
    messages = [message(series("noise", size, size), "grid_simple", bitsPerValue=bits)
                for bits, size in itertools.product(range(1, 33), (1, 2, 3, 130, 1001))]
    write("simple-bits", messages)
    messages = [message(series("smooth", 500, 1), "grid_simple", decimalPrecision=digits) for digits in range(-3, 6)]
    write("simple-decimal-scale", messages)
    messages = [message(with_gaps(series("smooth", size, 1), share, size), "grid_simple", bitsPerValue=bits)
                for size, share, bits in itertools.product((1, 9, 64, 1001), (0, 0.05, 0.5, 0.97, 1), (1, 12, 24))]
    write("simple-bitmaps", messages)
    constant = np.full(77, 273.15)
    packings = ("grid_simple", "grid_ccsds", "grid_complex", "grid_complex_spatial_differencing")
    write("constant", [message(values, packing) for values in (constant, with_gaps(constant, 0.3, 5)) for packing in packings])


def floats():
    messages = [message(values, "grid_ieee", precision=precision)
                for precision in (1, 2)
                for values in (series("noise", 1, 1), series("noise", 1001, 2), with_gaps(series("noise", 77, 3), 0.4, 4))]
    write("ieee", messages)


def ccsds():
    kinds = ("smooth", "noise", "zeros", "levels")
    for block in (8, 16, 32, 64):
        messages = [message(series(kind, 3001, bits), "grid_ccsds", ccsdsBlockSize=block, ccsdsRsi=rsi, bitsPerValue=bits)
                    for kind, rsi, bits in combinations(7, kinds, (1, 7, 128), range(1, 33))]
        write(f"ccsds-blocks-of-{block}", messages)
    # Three bytes, byte order, preprocessing, restricted codes, any block size. Padded intervals (32) are not written by libaec as
    # it is built for ecCodes, and what is signed (1) is read back only where a number fills its bytes.
    for flags in (0, 4, 8, 12, 14, 16, 24, 64 + 12):
        widths = (1, 2, 3, 4) if flags & 16 else (1, 4, 5, 8, 11, 16, 19, 24, 28, 32)
        messages = [message(series(kind, 2003, 3), "grid_ccsds", ccsdsFlags=flags, ccsdsRsi=9, bitsPerValue=bits)
                    for kind, bits in combinations(3, kinds, widths)]
        write(f"ccsds-flags-{flags}", messages)
    for flags in (1, 9):
        messages = [message(series(kind, 2003, 3), "grid_ccsds", ccsdsFlags=flags, ccsdsRsi=9, bitsPerValue=bits)
                    for kind, bits in itertools.product(kinds, (8, 16, 32))]
        write(f"ccsds-flags-{flags}", messages)
    messages = [message(with_gaps(series(kind, size, 7), 0.4, size), "grid_ccsds", bitsPerValue=bits)
                for kind, size, bits in itertools.product(kinds, (1, 5, 33, 5001), (8, 14))]
    write("ccsds-bitmaps", messages)
    write("ccsds-long", [message(series(kind, 300_007, 11), "grid_ccsds", ccsdsRsi=rsi, bitsPerValue=16)
                         for kind, rsi in combinations(3, kinds, (128, 4096))])


def possible(arguments):
    """Messages, without those that ecCodes cannot write, as images that are longer than their numbers."""
    messages = []
    for values, packing, keys in arguments:
        try:
            messages.append(message(values, packing, **keys))
        except ec.CodesInternalError:
            pass
    assert len(messages) > len(arguments) / 2, f"{len(messages)} of {len(arguments)} messages"
    return messages


def images(packing, widths):
    kinds = ("smooth", "noise", "zeros", "levels")
    # Rows of 7, 50 and 1001 points; of one point, and all points in one row.
    shapes = ((7, 9), (50, 20), (1, 33), (1001, 3), (1024, 1))
    write(packing, possible([(series(kind, columns * rows, bits), packing, {"bitsPerValue": bits, "Ni": columns, "Nj": rows})
                             for kind, (columns, rows), bits in combinations(7, kinds, shapes, widths)]))
    grid = {"Ni": 50, "Nj": 20}
    values = series("smooth", 1000, 1)
    arguments = [(with_gaps(values, share, 2), packing, {"bitsPerValue": bits, **grid})
                 for share, bits in itertools.product((0.1, 0.6), (3, 8, 12, 16))]
    arguments += [(values, packing, {"decimalPrecision": digits, **grid}) for digits in (0, 1, 2)]
    write(packing + "-bitmaps-and-scales", possible(arguments + [(np.full(1000, 273.15), packing, grid)]))


def png():
    images("grid_png", (1, 2, 4, 7, 8, 9, 12, 16, 17, 24, 25, 32))


def jpeg_2000():
    images("grid_jpeg", (1, 2, 5, 8, 9, 12, 15, 16))
    # More bits, which are not read here; and with loss, which is.
    write("jpeg-17-bits", [message(series("smooth", 1000, 1), "grid_jpeg", bitsPerValue=17, Ni=50, Nj=20)])
    messages = [message(series("smooth", 1000, 1), "grid_jpeg", bitsPerValue=12, Ni=50, Nj=20, typeOfCompressionUsed=1,
                        targetCompressionRatio=ratio) for ratio in (2, 10)]
    write("jpeg-with-loss", messages)


def complexes():
    for kind in ("smooth", "noise", "zeros", "levels"):
        messages = []
        for size, bits in itertools.product((1, 2, 3, 50, 5003), (1, 3, 8, 13, 20)):
            values = series(kind, size, size)
            messages.append(message(values, "grid_complex", bitsPerValue=bits))
            for order in (1, 2):
                messages.append(message(values, "grid_complex_spatial_differencing", orderOfSpatialDifferencing=order, bitsPerValue=bits))
        write(f"complex-{kind}", messages)
        messages = []
        for share, bits in itertools.product((0.05, 0.6), (8, 13)):
            values = with_gaps(series(kind, 3001, 2), share, 3)
            messages.append(message(values, "grid_complex", missingValueManagementUsed=1, bitsPerValue=bits))
            for order in (1, 2):
                messages.append(message(values, "grid_complex_spatial_differencing", orderOfSpatialDifferencing=order,
                                        missingValueManagementUsed=1, bitsPerValue=bits))
        write(f"complex-missing-{kind}", messages)


def gdal():
    import rasterio
    from rasterio.transform import from_origin

    for name, gaps in (("gdal", 0), ("gdal-missing", 0.2)):
        for encoding, order, scale in itertools.product(("COMPLEX_PACKING", "SIMPLE_PACKING"), ("", "1", "2"), (0, 2)):
            if encoding == "SIMPLE_PACKING" and (order or gaps):
                continue
            path = os.path.join(folder, f"{name}-{encoding.lower()}-{order or 0}-{scale}.grib2")
            values = with_gaps(series("smooth", 181 * 91, 3), gaps, 4).reshape(91, 181)
            options = {"DATA_ENCODING": encoding, "DECIMAL_SCALE_FACTOR": str(scale)}
            if order:
                options["SPATIAL_DIFFERENCING_ORDER"] = order
            with rasterio.open(path, "w", driver="GRIB", width=181, height=91, count=1, dtype="float64", crs="EPSG:4326",
                               transform=from_origin(-0.5, 90.5, 1, 1), nodata=9999.0 if gaps else None, **options) as file:
                file.write(np.where(np.isnan(values), 9999.0, values), 1)
            decode(path)


def message1(values, packing, shape=None, pl=None, **keys):
    """The bytes of a message of edition 1, of a grid of rows and columns, or of rows of different lengths."""
    handle = ec.codes_grib_new_from_samples("reduced_gg_pl_32_grib1" if pl else "regular_ll_sfc_grib1")
    rows, columns = shape or (1, len(values))
    if not pl:
        for key, value in {"Ni": columns, "Nj": rows, "iDirectionIncrementInDegrees": 0.1, "jDirectionIncrementInDegrees": 0.1,
                           "latitudeOfFirstGridPointInDegrees": 0.1 * (rows - 1), "latitudeOfLastGridPointInDegrees": 0,
                           "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 0.1 * (columns - 1),
                           }.items():
            ec.codes_set(handle, key, value)
    if keys.pop("byColumns", False):
        ec.codes_set(handle, "jPointsAreConsecutive", 1)
    if np.isnan(values).any():
        ec.codes_set(handle, "bitmapPresent", 1)
    late = {key: keys.pop(key) for key in list(keys) if key in ("bitsPerValue", "decimalPrecision")}
    ec.codes_set_double(handle, "missingValue", MISSING_OF_EDITION_1)
    given = np.where(np.isnan(values), MISSING_OF_EDITION_1, values)
    if packing != "grid_simple":
        # A field that is constant is not packed otherwise: the packing is set when there are values.
        ec.codes_set_double_array(handle, "values", given)
    ec.codes_set(handle, "packingType", packing)
    for key, value in {**keys, **late}.items():
        ec.codes_set(handle, key, value)
    ec.codes_set_double_array(handle, "values", given)
    data = ec.codes_get_message(handle)
    ec.codes_release(handle)
    return data


SECOND_ORDER = ("grid_second_order", "grid_second_order_no_SPD", "grid_second_order_SPD1", "grid_second_order_SPD2",
                "grid_second_order_SPD3", "grid_second_order_no_boustrophedonic", "grid_second_order_boustrophedonic")


def edition_1():
    def add(name, messages):
        write(f"edition-1-{name}", messages, "grib1")

    add("simple", [message1(series("noise", size, size), "grid_simple", bitsPerValue=bits)
                   for bits, size in itertools.product(range(1, 33), (1, 3, 130, 1001))])
    add("decimal-scale", [message1(sign * series("smooth", 500, 1), "grid_simple", decimalPrecision=digits)
                          for digits, sign in itertools.product(range(-3, 6), (1, -1))])
    add("bitmaps", [message1(with_gaps(series("smooth", size, 1), share, size), "grid_simple", bitsPerValue=bits)
                    for size, share, bits in itertools.product((2, 9, 64, 1001), (0.05, 0.5, 0.97), (1, 12, 24))])
    constant = np.full(77, 273.15)
    add("constant", [message1(values, "grid_simple") for values in (constant, -constant, with_gaps(constant, 0.3, 5))])
    kinds = ("smooth", "noise", "zeros", "levels")
    for packing in SECOND_ORDER:
        messages = [message1(series(kind, rows * columns, rows), packing, (rows, columns), bitsPerValue=bits)
                    for kind, (rows, columns), bits in combinations(7, kinds, ((5, 7), (31, 60), (90, 181)), (4, 8, 12, 20))]
        add(packing, messages)
    gaps = [message1(with_gaps(series(kind, 31 * 60, 1), share, 3), packing, (31, 60), bitsPerValue=12)
            for kind, share, packing in combinations(5, kinds, (0.05, 0.6), SECOND_ORDER)]
    add("second-order-bitmaps", gaps)
    columns = [message1(series("smooth", 31 * 60, 1), packing, (31, 60), bitsPerValue=12, byColumns=True)
               for packing in ("grid_simple", *SECOND_ORDER)]
    add("by-columns", columns)
    points = 6114
    rows = [message1(with_gaps(series("smooth", points, 1), share, 3), packing, pl=True, bitsPerValue=12)
            for packing, share in itertools.product(("grid_simple", "grid_second_order_no_boustrophedonic"), (0, 0.1))]
    # ecCodes writes behind its memory where rows of different lengths alternate in direction.
    add("reduced", rows)


if sys.argv[1] == "read":
    for given in sys.argv[2:]:
        decode(given)
else:
    folder = sys.argv[2]
    every = (simple, floats, ccsds, png, jpeg_2000, complexes, gdal, edition_1)
    for part in (edition_1,) if sys.argv[1] == "edition-1" else every:
        part()
print(json.dumps(listed))

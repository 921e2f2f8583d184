"""Writes files that are longer than what is requested at first, by xarray with netCDF4, by pyarrow and by ecCodes.

    python write_files.py FOLDER

chunked.nc, planes.nc and contiguous.nc are NetCDF4, classic.nc is NetCDF3, table.parquet has rows of members with values of four
variables, fields.grib2 has three parameters of eight members and four steps, with fields.index as ECMWF writes it.
"""

import json
import sys
from pathlib import Path

import eccodes as ec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import xarray as xr

folder = Path(sys.argv[1])
rng = np.random.default_rng(7)

latitude, longitude = np.arange(60, 40, -0.5), np.arange(0, 30, 0.5)
time = pd.date_range("2026-03-01", periods=30)
shape = (7, time.size, latitude.size, longitude.size)
dataset = xr.Dataset(
    {
        "t2m": (("number", "time", "latitude", "longitude"), rng.normal(280, 9, shape).astype("f4"), {"units": "K"}),
        "tp": (("number", "time", "latitude", "longitude"), rng.gamma(1, 3, shape).astype("f4"), {"units": "mm"}),
    },
    coords={
        "number": np.arange(7),
        "time": time,
        "latitude": ("latitude", latitude, {"units": "degrees_north"}),
        "longitude": ("longitude", longitude, {"units": "degrees_east"}),
    },
)
chunks = {"chunked": (7, 30, 8, 10), "planes": (1, 1, 40, 60)}
for name, sizes in chunks.items():
    dataset.to_netcdf(folder / f"{name}.nc", encoding={v: {"zlib": True, "chunksizes": sizes} for v in ("t2m", "tp")})
dataset.to_netcdf(folder / "contiguous.nc")
dataset.to_netcdf(folder / "classic.nc", format="NETCDF3_64BIT")

days, members = 200, 400
table = {
    "date": np.repeat(pd.date_range("2026-01-01", periods=days).date, members),
    "member": np.tile(np.arange(members), days),
    **{name: rng.gamma(2, 3, days * members) for name in ("temp_mean", "precipitation", "wind_speed", "temp_max")},
}
pq.write_table(pa.table(table), folder / "table.parquet", row_group_size=20_000, use_dictionary=False)

lines, offset = [], 0
PARAMETERS = {"2t": (0, 0), "tp": (1, 8), "10u": (2, 2)}
with open(folder / "fields.grib2", "wb") as file:
    for member in range(1, 9):
        for step in (0, 6, 12, 18):
            for name, (category, number) in PARAMETERS.items():
                handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
                is_sum = name == "tp"
                if is_sum and step == 0:
                    continue
                level = {"2t": (103, 2), "10u": (103, 10), "tp": (1, 0)}[name]
                keys = {
                    "Ni": 180, "Nj": 120, "latitudeOfFirstGridPointInDegrees": 60, "latitudeOfLastGridPointInDegrees": 0.5,
                    "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 89.5,
                    "iDirectionIncrementInDegrees": 0.5, "jDirectionIncrementInDegrees": 0.5, "centre": 98,
                    "dataDate": 20260301, "dataTime": 0, "stepUnits": 1,
                    "productDefinitionTemplateNumber": 11 if is_sum else 1,
                    "typeOfEnsembleForecast": 3, "perturbationNumber": member,
                    "parameterCategory": category, "parameterNumber": number, "typeOfFirstFixedSurface": level[0],
                    **({"scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": level[1]} if level[1] else {}),
                    "bitsPerValue": 12,
                }
                if is_sum:
                    keys["typeOfStatisticalProcessing"] = 1
                for key, value in keys.items():
                    ec.codes_set(handle, key, value)
                ec.codes_set(handle, "stepRange", f"0-{step}" if is_sum else str(step))
                values = rng.gamma(1, 3, 21_600) * (step / 6 if is_sum else 1) + (280 if name == "2t" else 0)
                ec.codes_set_values(handle, values)
                data = ec.codes_get_message(handle)
                ec.codes_release(handle)
                file.write(data)
                line = {"domain": "g", "date": "20260301", "time": "0000", "type": "pf", "stream": "enfo", "step": str(step),
                        "levtype": "sfc", "number": str(member), "param": name, "_offset": offset, "_length": len(data)}
                lines.append(json.dumps(line))
                offset += len(data)
(folder / "fields.index").write_text("\n".join(lines) + "\n")

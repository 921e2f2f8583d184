"""Writes a forecast on a global grid as GRIB 2, a file for each variable, packed simply, as its model would:

    python write_forecast_grib.py FOLDER NAME DEGREES MEMBERS FIRST_DAY DAYS BITS SEED

Daily means of temperature have errors that grow from 0.7 to 4 K and are alike from day to day and from place to place;
daily rain is 0 at most places, and else has a gamma distribution. Each field has a reference of its own.
"""
import sys
from datetime import date, timedelta

import eccodes as ec
import numpy as np

FOLDER, NAME = sys.argv[1:3]
DEGREES = float(sys.argv[3])
MEMBERS, FIRST_DAY, DAYS, BITS, SEED = (int(text) for text in sys.argv[4:9])

ROWS, COLUMNS = int(180 / DEGREES) + 1, int(360 / DEGREES)
LATITUDE = np.radians(90 - DEGREES * np.arange(ROWS))
CLIMATE = (288 - 45 * np.sin(LATITUDE) ** 2)[:, None] + 6 * np.sin(np.radians(DEGREES * 3 * np.arange(COLUMNS)))
WETNESS = 0.15 + 0.3 * np.cos(LATITUDE)[:, None] ** 4 + np.zeros(COLUMNS)
INIT = date(2026, 3, 2)
random = np.random.default_rng(SEED)


def noise():
    """Smooth noise of unit variance, and a little of each place."""
    coarse = random.standard_normal((ROWS // 8 + 2, COLUMNS // 8 + 2))
    smooth = np.kron(coarse, np.ones((8, 8)))[:ROWS, :COLUMNS]
    return 0.95 * smooth + 0.31 * random.standard_normal((ROWS, COLUMNS))


def message(member, day, is_rain):
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    settings = {
        "centre": "ecmf",
        "dataDate": int(INIT.strftime("%Y%m%d")),
        "dataTime": 0,
        "significanceOfReferenceTime": 1,
        "productionStatusOfProcessedData": 0,
        "typeOfProcessedData": 4,
        "productDefinitionTemplateNumber": 11,
        "discipline": 0,
        "parameterCategory": 1 if is_rain else 0,
        "parameterNumber": 8 if is_rain else 0,
        "typeOfFirstFixedSurface": 1 if is_rain else 103,
        "scaleFactorOfFirstFixedSurface": 0,
        "scaledValueOfFirstFixedSurface": 0 if is_rain else 2,
        "typeOfEnsembleForecast": 3,
        "perturbationNumber": member,
        "numberOfForecastsInEnsemble": MEMBERS,
        "indicatorOfUnitOfTimeRange": 1,
        "forecastTime": 24 * day,
        "typeOfStatisticalProcessing": 1 if is_rain else 0,
        "indicatorOfUnitForTimeRange": 1,
        "lengthOfTimeRange": 24,
        "Ni": COLUMNS,
        "Nj": ROWS,
        "latitudeOfFirstGridPointInDegrees": 90,
        "latitudeOfLastGridPointInDegrees": -90,
        "longitudeOfFirstGridPointInDegrees": 0,
        "longitudeOfLastGridPointInDegrees": 360 - DEGREES,
        "iDirectionIncrementInDegrees": DEGREES,
        "jDirectionIncrementInDegrees": DEGREES,
    }
    for key, value in settings.items():
        ec.codes_set(handle, key, value)
    end = INIT + timedelta(days=day + 1)
    for key, value in {"year": end.year, "month": end.month, "day": end.day, "hour": 0, "minute": 0, "second": 0}.items():
        ec.codes_set(handle, f"{key}OfEndOfOverallTimeInterval", value)
    ec.codes_set(handle, "bitsPerValue", BITS)
    return handle


def write(name, is_rain, fields):
    with open(f"{FOLDER}/{name}.grib2", "wb") as file:
        for member in range(MEMBERS):
            for day, values in enumerate(fields(), FIRST_DAY):
                handle = message(member, day, is_rain)
                ec.codes_set_values(handle, values.ravel())
                ec.codes_write(handle, file)
                ec.codes_release(handle)


def temperatures():
    error = noise()
    for day in range(FIRST_DAY, FIRST_DAY + DAYS):
        error = 0.8 * error + 0.6 * noise()
        yield CLIMATE + (0.7 + 3.3 * min(1, day / 15)) * error


def rain():
    wet = noise()
    for _ in range(DAYS):
        wet = 0.6 * wet + 0.8 * noise()
        amounts = random.gamma(0.8, 8, (ROWS, COLUMNS))
        yield np.where(wet > 1.3 - 2 * WETNESS, amounts, 0)


write(f"{NAME}-temperature", False, temperatures)
write(f"{NAME}-rain", True, rain)

"""Writes products and grids with ecCodes, and what ecCodes says of them.

    python write_products.py FOLDER

Writes products.grib2 and grids.grib2 into FOLDER. Prints JSON: of each message of the first the keys of ecCodes, of each of the
second the type of its grid and the latitude and longitude of each point in the order of the file.
"""

import json
import os
import sys

import eccodes as ec
import numpy as np

folder = sys.argv[1]


def handle_of(sample, keys):
    handle = ec.codes_grib_new_from_samples(sample)
    for key, value in keys.items():
        (ec.codes_set_array if isinstance(value, list) else ec.codes_set)(handle, key, value)
    return handle


def product(keys):
    base = {"centre": 7, "dataDate": 20260301, "dataTime": 600, "stepUnits": 1}
    return handle_of("regular_ll_sfc_grib2", {**base, **keys})


GROUND = {"typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2}
WIND = {**GROUND, "scaledValueOfFirstFixedSurface": 10}
SURFACE = {"typeOfFirstFixedSurface": 1}


def numbers(discipline, category, number):
    return {"discipline": discipline, "parameterCategory": category, "parameterNumber": number}


def interval(start, length, process, template=8):
    """Keys of a statistical product; ecCodes then sets the end of the interval by its steps."""
    return {
        "productDefinitionTemplateNumber": template,
        "typeOfStatisticalProcessing": process,
        "stepRange": f"{start}-{start + length}",
    }


def products():
    member = {"productDefinitionTemplateNumber": 1, "typeOfEnsembleForecast": 3, "perturbationNumber": 7}
    of_member = {"typeOfEnsembleForecast": 3, "perturbationNumber": 12, "numberOfForecastsInEnsemble": 30}
    yield product({**numbers(0, 0, 0), **GROUND, "forecastTime": 12})
    yield product({**numbers(0, 0, 6), **GROUND, **member, "forecastTime": 384})
    yield product({**member, **numbers(0, 2, 2), **WIND, "forecastTime": 3})
    yield product({**member, **numbers(0, 2, 3), **WIND, "forecastTime": 3})
    yield product({**member, **numbers(0, 3, 0), **SURFACE, "forecastTime": 0})
    yield product({**member, **numbers(0, 3, 1), "typeOfFirstFixedSurface": 101, "forecastTime": 0})
    for unit, time in ((0, 90), (10, 3), (11, 2), (12, 1), (2, 3), (13, 7200)):
        yield product({**member, **numbers(0, 0, 0), **GROUND, "indicatorOfUnitOfTimeRange": unit, "forecastTime": time})
    for start, length in ((0, 3), (0, 6), (6, 3), (240, 6)):
        yield product({**interval(start, length, 1, 11), **of_member, **numbers(0, 1, 8), **SURFACE})
        yield product({**interval(start, length, 2, 11), **of_member, **numbers(0, 0, 4), **GROUND})
        yield product({**interval(start, length, 3, 11), **of_member, **numbers(0, 0, 5), **GROUND})
        yield product({**interval(start, length, 0, 11), **of_member, **numbers(0, 4, 192), **SURFACE})
    for process, number in ((1, 52), (0, 52)):
        yield product({**interval(0, 24, process), "centre": 98, **numbers(0, 1, number), **SURFACE})
    yield product({**interval(0, 24, 1, 11), "centre": 98, "localTablesVersion": 1, **numbers(0, 1, 193), **SURFACE})
    yield product({**interval(0, 24, 1, 11), "centre": 98, **numbers(0, 4, 7), **SURFACE})
    yield product({**interval(3, 3, 2), "centre": 98, **numbers(0, 2, 22), **WIND})
    in_days = {"indicatorOfUnitForTimeRange": 2, "lengthOfTimeRange": 2}
    yield product({**interval(0, 48, 1, 8), **in_days, "centre": 98, **numbers(0, 1, 52), **SURFACE})
    yield product({**numbers(0, 0, 0), "typeOfFirstFixedSurface": 100, "scaleFactorOfFirstFixedSurface": 0,
                   "scaledValueOfFirstFixedSurface": 85000, "forecastTime": 6})
    yield product({**numbers(2, 0, 0), **SURFACE, "forecastTime": 0})
    yield product({**numbers(0, 3, 5), **SURFACE, "forecastTime": 0})
    yield product({**numbers(0, 19, 200), **SURFACE, "forecastTime": 0})
    for template in (60, 61):
        hindcast = interval(0, 24, 1, 61) if template == 61 else {"productDefinitionTemplateNumber": 60, "forecastTime": 24}
        yield product({**hindcast, "centre": 98, **numbers(0, 1, 52 if template == 61 else 7), **SURFACE,
                       "perturbationNumber": 3, "YearOfModelVersion": 2026, "MonthOfModelVersion": 2, "DayOfModelVersion": 28,
                       "HourOfModelVersion": 0, "MinuteOfModelVersion": 0, "SecondOfModelVersion": 0})
    for template in (2, 12):
        derived = interval(0, 6, 1, 12) if template == 12 else {"productDefinitionTemplateNumber": 2, "forecastTime": 6}
        yield product({**derived, **numbers(0, 1, 8 if template == 12 else 7), **SURFACE, "derivedForecast": 4})


def grids():
    regular = {"gridType": "regular_ll", "Ni": 5, "Nj": 4, "iDirectionIncrementInDegrees": 0.1, "jDirectionIncrementInDegrees": 0.25}
    ends = {"latitudeOfFirstGridPointInDegrees": 50, "latitudeOfLastGridPointInDegrees": 49.25,
            "longitudeOfFirstGridPointInDegrees": 359.9, "longitudeOfLastGridPointInDegrees": 0.3}
    yield "regular_ll_sfc_grib2", {**regular, **ends}
    yield "regular_ll_sfc_grib2", {**regular, **ends, "jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": 49.25,
                                   "latitudeOfLastGridPointInDegrees": 50}
    yield "regular_ll_sfc_grib2", {**regular, **ends, "iScansNegatively": 1, "longitudeOfFirstGridPointInDegrees": 0.3,
                                   "longitudeOfLastGridPointInDegrees": 359.9}
    yield "regular_ll_sfc_grib2", {**regular, "Ni": 3, "Nj": 3, "iDirectionIncrement": 333333, "jDirectionIncrement": 333333,
                                   "latitudeOfFirstGridPoint": 1000000, "latitudeOfLastGridPoint": 333333,
                                   "longitudeOfFirstGridPoint": 0, "longitudeOfLastGridPoint": 666667}
    yield "rotated_ll_sfc_grib2", {"Ni": 6, "Nj": 5, "latitudeOfFirstGridPointInDegrees": 5, "latitudeOfLastGridPointInDegrees": -15,
                                   "longitudeOfFirstGridPointInDegrees": 350, "longitudeOfLastGridPointInDegrees": 15,
                                   "iDirectionIncrementInDegrees": 5, "jDirectionIncrementInDegrees": 5,
                                   "latitudeOfSouthernPoleInDegrees": -39.25, "longitudeOfSouthernPoleInDegrees": 18}
    for n in (32, 80):
        yield "regular_gg_sfc_grib2", {"N": n, "Ni": 4 * n, "Nj": 2 * n, "iDirectionIncrementInDegrees": 90 / n,
                                        "latitudeOfFirstGridPointInDegrees": float(gaussian(n)[0]),
                                        "latitudeOfLastGridPointInDegrees": float(-gaussian(n)[0]),
                                        "longitudeOfLastGridPointInDegrees": 360 - 90 / n}
    yield "reduced_gg_pl_32_grib2", {}
    yield "reduced_gg_pl_80_grib2", {}
    shape = {"shapeOfTheEarth": 6}
    lambert = {**shape, "Nx": 7, "Ny": 6, "latitudeOfFirstGridPointInDegrees": 21.138, "longitudeOfFirstGridPointInDegrees": 237.28,
               "LaDInDegrees": 38.5, "LoVInDegrees": 262.5, "DxInMetres": 400000, "DyInMetres": 300000,
               "Latin1InDegrees": 38.5, "Latin2InDegrees": 38.5, "jScansPositively": 1}
    yield "lambert", lambert
    yield "lambert", {**lambert, "Latin1InDegrees": 30, "Latin2InDegrees": 60, "shapeOfTheEarth": 5}
    polar = {**shape, "Nx": 7, "Ny": 6, "latitudeOfFirstGridPointInDegrees": 40.53, "longitudeOfFirstGridPointInDegrees": 181.43,
             "LaDInDegrees": 60, "orientationOfTheGridInDegrees": 210, "DxInMetres": 500000, "DyInMetres": 400000,
             "jScansPositively": 1}
    yield "polar_stereographic", polar
    yield "polar_stereographic", {**polar, "projectionCentreFlag": 128, "latitudeOfFirstGridPointInDegrees": -40.5,
                                  "LaDInDegrees": -60}
    yield "mercator", {**shape, "Ni": 6, "Nj": 5, "latitudeOfFirstGridPointInDegrees": -10, "longitudeOfFirstGridPointInDegrees": 100,
                       "latitudeOfLastGridPointInDegrees": 12.5, "longitudeOfLastGridPointInDegrees": 130, "LaDInDegrees": 20,
                       "DiInMetres": 600000, "DjInMetres": 600000, "jScansPositively": 1}


def gaussian(n):
    return np.degrees(np.arcsin(np.polynomial.legendre.leggauss(2 * n)[0]))[::-1]


KEYS = ["shortName", "units", "dataDate", "dataTime", "validityDate", "validityTime", "typeOfLevel", "level"]


def main():
    described = []
    with open(os.path.join(folder, "products.grib2"), "wb") as file:
        for handle in products():
            file.write(ec.codes_get_message(handle))
            described.append({key: ec.codes_get(handle, key) for key in KEYS})
            for key in ("stepType", "startStep", "endStep", "perturbationNumber", "productDefinitionTemplateNumber"):
                if ec.codes_is_defined(handle, key):
                    described[-1][key] = ec.codes_get(handle, key)
            ec.codes_release(handle)
    places = []
    with open(os.path.join(folder, "grids.grib2"), "wb") as file:
        for sample, keys in grids():
            is_projected = "_grib2" not in sample
            handle = handle_of("regular_ll_sfc_grib2" if is_projected else sample, {"gridType": sample} if is_projected else {})
            for key, value in keys.items():
                ec.codes_set(handle, key, value)
            if sample.startswith("reduced"):
                count = int(sum(ec.codes_get_array(handle, "pl")))
            else:
                count = ec.codes_get(handle, "Ni" if "Ni" in keys else "Nx") * ec.codes_get(handle, "Nj" if "Nj" in keys else "Ny")
            ec.codes_set(handle, "numberOfDataPoints", count)
            ec.codes_set_values(handle, np.zeros(count))
            message = ec.codes_get_message(handle)
            file.write(message)
            # ecCodes computes the shape of the earth anew.
            ec.codes_release(handle)
            handle = ec.codes_new_from_message(message)
            latitudes, longitudes = [], []
            iterator = ec.codes_grib_iterator_new(handle, 0)
            while step := ec.codes_grib_iterator_next(iterator):
                latitudes.append(step[0])
                longitudes.append(step[1])
            ec.codes_grib_iterator_delete(iterator)
            places.append({"sample": sample, "gridType": ec.codes_get(handle, "gridType"),
                           "latitude": latitudes, "longitude": longitudes})
            ec.codes_release(handle)
    print(json.dumps({"products": described, "grids": places}))


main()

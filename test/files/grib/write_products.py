"""Writes products and grids with ecCodes, and what ecCodes says of them.

    python write_products.py FOLDER

Writes products.grib2 and grids.grib2 into FOLDER, and those of edition 1. Prints JSON: of each message of the first the keys of
ecCodes, of each of the second the type of its grid and the latitude and longitude of each point in the order of the file.
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
    yield from displaced_grids(shape)
    for last in (359.9, 359.99, 360):
        yield "reduced_gg_pl_80_grib2", {"longitudeOfLastGridPointInDegrees": last}
    # Increments rounded otherwise than the distances from the first to the last point.
    yield "regular_ll_sfc_grib2", {"Ni": 96, "Nj": 3, "iDirectionIncrement": 3749998, "jDirectionIncrement": 2499999,
                                   "latitudeOfFirstGridPointInDegrees": 90, "latitudeOfLastGridPointInDegrees": 85,
                                   "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 356.25}
    yield "regular_ll_sfc_grib2", {"Ni": 300, "Nj": 200, "iDirectionIncrement": 109994, "jDirectionIncrement": 110000,
                                   "latitudeOfFirstGridPointInDegrees": 60, "latitudeOfLastGridPointInDegrees": 38.11,
                                   "longitudeOfFirstGridPointInDegrees": 350, "longitudeOfLastGridPointInDegrees": 22.89}


def displaced_grids(shape):
    """A Lambert grid whose first point is its south-western corner though rows scan southwards, and a Mercator grid
    with the orientation of another kind of grid: ecCodes takes the one northwards, the other without a turn."""
    yield "lambert", {**shape, "centre": 85, "Nx": 7, "Ny": 6, "latitudeOfFirstGridPointInDegrees": 41.6,
                      "longitudeOfFirstGridPointInDegrees": 354.8, "LaDInDegrees": 46.5, "LoVInDegrees": 2, "DxInMetres": 200000,
                      "DyInMetres": 200000, "Latin1InDegrees": 46.5, "Latin2InDegrees": 46.5, "jScansPositively": 0}
    yield "mercator", {**shape, "Ni": 5, "Nj": 4, "latitudeOfFirstGridPointInDegrees": 16.9775,
                       "longitudeOfFirstGridPointInDegrees": 291.9722, "latitudeOfLastGridPointInDegrees": 17.010945,
                       "longitudeOfLastGridPointInDegrees": 292.019984, "LaDInDegrees": 20, "DiInMetres": 1250, "DjInMetres": 1250,
                       "orientationOfTheGridInDegrees": 295, "jScansPositively": 1}


def gaussian(n):
    return np.degrees(np.arcsin(np.polynomial.legendre.leggauss(2 * n)[0]))[::-1]


KEYS = ["shortName", "units", "dataDate", "dataTime", "validityDate", "validityTime", "typeOfLevel", "level"]


# Octets 10 to 12 of edition 1, as keys.
HEIGHT_2M = {"indicatorOfTypeOfLevel": 105, "level": 2}
HEIGHT_10M = {"indicatorOfTypeOfLevel": 105, "level": 10}
GROUND_1 = {"indicatorOfTypeOfLevel": 1, "level": 0}
PRESSURE = {"indicatorOfTypeOfLevel": 100, "level": 850}


def product_1(number, level, indicator=0, first=6, second=0, table=2, centre=7, **keys):
    base = {"centre": centre, "table2Version": table, "indicatorOfParameter": number, **level, "dataDate": 20260301, "dataTime": 600,
            "unitOfTimeRange": 1, "timeRangeIndicator": indicator, "P1": first, "P2": second}
    handle = handle_of("GRIB1", {"centre": centre})
    local = {key: keys.pop(key) for key in ("localDefinitionNumber", "type") if key in keys}
    if local:
        ec.codes_set(handle, "setLocalDefinition", 1)
    for key, value in {**local, **base, **keys}.items():
        ec.codes_set(handle, key, value)
    return handle


def products_1():
    for number, level in ((11, HEIGHT_2M), (17, HEIGHT_2M), (52, PRESSURE), (33, HEIGHT_10M), (34, HEIGHT_10M), (11, PRESSURE),
                          (1, GROUND_1), (7, PRESSURE), (33, PRESSURE), (51, PRESSURE), (81, GROUND_1)):
        yield product_1(number, level)
    for unit, first in ((0, 120), (1, 12), (2, 3), (10, 3), (11, 2), (12, 1), (13, 4), (14, 2)):
        yield product_1(11, HEIGHT_2M, first=first, unitOfTimeRange=unit)
    for indicator, first, second in ((0, 6, 0), (1, 0, 0), (10, 2, 208), (3, 0, 6), (3, 6, 12)):
        yield product_1(11, HEIGHT_2M, indicator, first, second)
    for first, second in ((0, 6), (6, 12), (0, 0), (240, 252)):
        yield product_1(61, GROUND_1, 4, first, second)
    for century, year in ((20, 85), (20, 100), (21, 26)):
        yield product_1(11, HEIGHT_2M, centuryOfReferenceTimeOfData=century, yearOfCentury=year)
    for level in ({"indicatorOfTypeOfLevel": 103, "level": 1500}, {"indicatorOfTypeOfLevel": 107, "level": 9950},
                  {"indicatorOfTypeOfLevel": 111, "level": 10}, {"indicatorOfTypeOfLevel": 109, "level": 60},
                  {"indicatorOfTypeOfLevel": 112, "topLevel": 0, "bottomLevel": 10},
                  {"indicatorOfTypeOfLevel": 116, "topLevel": 30, "bottomLevel": 0}):
        yield product_1(11, level)
    ecmwf = {"table": 128, "centre": 98}
    for number in (31, 34, 129, 134, 141, 151, 164, 165, 166, 167, 168, 172, 207, 235):
        yield product_1(number, GROUND_1, **ecmwf)
    for number in (129, 130, 131, 132, 133, 156, 157):
        yield product_1(number, PRESSURE, **ecmwf)
    for number in (121, 201):
        yield product_1(number, GROUND_1, 2, 6, 12, **ecmwf)
    for number in (142, 143, 144, 146, 147, 169, 175, 176, 177, 182, 205, 228):
        yield product_1(number, GROUND_1, 4, 0, 12, **ecmwf)
    for table, number in ((228, 246), (228, 247), (140, 229), (172, 169), (172, 175), (172, 228)):
        yield product_1(number, GROUND_1, table=table, centre=98)
    for definition in (1, 14, 15, 17, 18, 19, 26, 27, 30, 31, 36, 40, 12, 16, 23):
        yield product_1(167, GROUND_1, **ecmwf, localDefinitionNumber=definition, type="pf", perturbationNumber=12)
    yield product_1(167, GROUND_1, **ecmwf, localDefinitionNumber=1, type="cf", numberOfForecastsInEnsemble=51)
    yield product_1(167, GROUND_1, **ecmwf, localDefinitionNumber=15, type="fc", perturbationNumber=300)


def grids_1():
    ends = {"latitudeOfFirstGridPointInDegrees": 50, "latitudeOfLastGridPointInDegrees": 49.25,
            "longitudeOfFirstGridPointInDegrees": -0.1, "longitudeOfLastGridPointInDegrees": 0.3}
    axes = {"Ni": 5, "Nj": 4, "iDirectionIncrementInDegrees": 0.1, "jDirectionIncrementInDegrees": 0.25}
    yield "regular_ll_sfc_grib1", {**axes, **ends}
    yield "regular_ll_sfc_grib1", {**axes, **ends, "jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": 49.25,
                                   "latitudeOfLastGridPointInDegrees": 50}
    # Around the earth, with increments that are not of thousandths of degrees.
    yield "regular_ll_sfc_grib1", {"Ni": 1280, "Nj": 3, "iDirectionIncrement": 281, "jDirectionIncrement": 281,
                                   "latitudeOfFirstGridPoint": 281, "latitudeOfLastGridPoint": -281,
                                   "longitudeOfFirstGridPoint": 0, "longitudeOfLastGridPoint": 359719}
    yield "rotated_ll_sfc_grib1", {"Ni": 6, "Nj": 5, "latitudeOfFirstGridPointInDegrees": 5, "latitudeOfLastGridPointInDegrees": -15,
                                   "longitudeOfFirstGridPointInDegrees": -10, "longitudeOfLastGridPointInDegrees": 15,
                                   "iDirectionIncrementInDegrees": 5, "jDirectionIncrementInDegrees": 5,
                                   "latitudeOfSouthernPoleInDegrees": -39.25, "longitudeOfSouthernPoleInDegrees": 18}
    for n in (32, 80):
        yield "regular_gg_sfc_grib1", {"N": n, "Ni": 4 * n, "Nj": 2 * n, "iDirectionIncrementInDegrees": 90 / n,
                                        "latitudeOfFirstGridPoint": round(1000 * gaussian(n)[0]),
                                        "latitudeOfLastGridPoint": -round(1000 * gaussian(n)[0]),
                                        "longitudeOfLastGridPointInDegrees": 360 - 90 / n}
    yield "reduced_gg_pl_32_grib1", {}
    yield "reduced_gg_pl_80_grib1", {}
    # With reserved bits of the scanning mode.
    yield "regular_ll_sfc_grib1", {**axes, **ends, "scanningMode": 0x0f}
    lambert = {"dataRepresentationType": 3, "Nx": 7, "Ny": 6, "latitudeOfFirstGridPointInDegrees": 21.138,
               "longitudeOfFirstGridPointInDegrees": -122.72,
               "LoVInDegrees": -97.5, "DxInMetres": 400000, "DyInMetres": 300000,
               "Latin1InDegrees": 38.5, "Latin2InDegrees": 38.5, "jScansPositively": 1}
    yield "regular_ll_sfc_grib1", lambert
    yield "regular_ll_sfc_grib1", {**lambert, "Latin1InDegrees": 30, "Latin2InDegrees": 60}
    polar = {"Nx": 7, "Ny": 6, "latitudeOfFirstGridPointInDegrees": 40.53, "longitudeOfFirstGridPointInDegrees": -178.57,
             "orientationOfTheGridInDegrees": -150, "DxInMetres": 500000, "DyInMetres": 400000, "jScansPositively": 1}
    yield "polar_stereographic_sfc_grib1", polar
    # ecCodes has no places of Mercator grids of edition 1, and takes 60 degrees north for the true latitude of southern ones.


MORE_KEYS = ["stepType", "startStep", "endStep", "perturbationNumber", "productDefinitionTemplateNumber"]


def write_products(name, handles):
    described = []
    with open(os.path.join(folder, name), "wb") as file:
        for handle in handles:
            file.write(ec.codes_get_message(handle))
            described.append({key: ec.codes_get(handle, key) for key in KEYS})
            described[-1].update({key: ec.codes_get(handle, key) for key in MORE_KEYS if ec.codes_is_defined(handle, key)})
            ec.codes_release(handle)
    return described


def write_grids(name, grids):
    places = []
    with open(os.path.join(folder, name), "wb") as file:
        for sample, keys in grids:
            is_projected = "_grib" not in sample
            handle = handle_of("regular_ll_sfc_grib2" if is_projected else sample, {"gridType": sample} if is_projected else {})
            for key, value in keys.items():
                ec.codes_set(handle, key, value)
            if sample.startswith("reduced"):
                count = int(sum(ec.codes_get_array(handle, "pl")))
            else:
                count = ec.codes_get(handle, "Ni" if "Ni" in keys else "Nx") * ec.codes_get(handle, "Nj" if "Nj" in keys else "Ny")
            if "_grib1" not in sample:
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
    return places


print(json.dumps({
    "products": write_products("products.grib2", products()),
    "grids": write_grids("grids.grib2", grids()),
    "products1": write_products("products.grib1", products_1()),
    "grids1": write_grids("grids.grib1", grids_1()),
}))

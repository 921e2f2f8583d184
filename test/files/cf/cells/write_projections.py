"""Writes projections.json: places on planes by pyproj (PROJ), from the attributes of CF grid mappings."""

import json
import pathlib

import pyproj

SPHERE = {"earth_radius": 6371229.0}
WGS84 = {"semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
AXES = {"semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.31414}
METRES = [[0, 0], [250000, -125000], [-1800000, 2400000], [3100000, 700000], [-2500000, -2500000]]
RADIANS = [[0, 0], [0.05, 0.03], [-0.1, 0.09], [0.02, -0.14], [0.12, -0.02], [0.16, 0.16]]
DEGREES = [[0, 0], [10.5, -3.25], [-28.375, -23.375], [18.1, 21.8], [170, 80]]

MAPPINGS = [
    {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [38.5, 38.5], "longitude_of_central_meridian": 262.5,
     "latitude_of_projection_origin": 38.5, **SPHERE},
    {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": 63.3, "longitude_of_central_meridian": 15.0,
     "latitude_of_projection_origin": 63.3, **SPHERE},
    {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [44, 49], "longitude_of_central_meridian": 3.0,
     "latitude_of_projection_origin": 46.5, "false_easting": 700000.0, "false_northing": 6600000.0, **AXES},
    {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [-35, -55], "longitude_of_central_meridian": 175.0,
     "latitude_of_projection_origin": -45, **WGS84},
    {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": -45.0,
     "latitude_of_projection_origin": 90.0, "standard_parallel": 70.0, **WGS84},
    {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": 0.0,
     "latitude_of_projection_origin": -90.0, "standard_parallel": -71.0, **WGS84},
    {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": 10.0,
     "latitude_of_projection_origin": 90.0, "standard_parallel": 60.0, **SPHERE},
    {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": 0.0,
     "latitude_of_projection_origin": 90.0, "scale_factor_at_projection_origin": 0.994, "false_easting": 2000000.0,
     "false_northing": 2000000.0, **WGS84},
    {"grid_mapping_name": "stereographic", "longitude_of_projection_origin": 5.387638889,
     "latitude_of_projection_origin": 52.156160556, "scale_factor_at_projection_origin": 0.9999079,
     "false_easting": 155000.0, "false_northing": 463000.0, "semi_major_axis": 6377397.155,
     "inverse_flattening": 299.1528128},
    {"grid_mapping_name": "stereographic", "longitude_of_projection_origin": 170.0,
     "latitude_of_projection_origin": -41.0, "scale_factor_at_projection_origin": 1.0, **SPHERE},
    {"grid_mapping_name": "stereographic", "longitude_of_projection_origin": -70.0,
     "latitude_of_projection_origin": 0.0, "scale_factor_at_projection_origin": 1.0, **WGS84},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": 5.178,
     "latitude_of_projection_origin": 52.103, **WGS84},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": -2.5,
     "latitude_of_projection_origin": 54.5, "false_easting": 1000000.0, "false_northing": -500000.0, **SPHERE},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": 150.0,
     "latitude_of_projection_origin": -34.0, **AXES},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": 10.0,
     "latitude_of_projection_origin": 90.0, **WGS84},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": 10.0,
     "latitude_of_projection_origin": -90.0, **SPHERE},
    {"grid_mapping_name": "azimuthal_equidistant", "longitude_of_projection_origin": -60.0,
     "latitude_of_projection_origin": 0.0, **WGS84},
    {"grid_mapping_name": "lambert_cylindrical_equal_area", "longitude_of_central_meridian": 0.0,
     "standard_parallel": 30.0, **WGS84},
    {"grid_mapping_name": "lambert_cylindrical_equal_area", "longitude_of_central_meridian": -120.0,
     "scale_factor_at_projection_origin": 0.9, "false_easting": 500000.0,
     **WGS84},  # PROJ makes a parallel of the scale, always by the ellipsoid of WGS 84.
    {"grid_mapping_name": "mercator", "standard_parallel": 20.0, "longitude_of_projection_origin": 120.0, **SPHERE},
    {"grid_mapping_name": "mercator", "scale_factor_at_projection_origin": 0.9996, "longitude_of_projection_origin": -160.0,
     **WGS84},
    {"grid_mapping_name": "transverse_mercator", "scale_factor_at_central_meridian": 0.9996,
     "longitude_of_central_meridian": 9.0, "latitude_of_projection_origin": 0.0, "false_easting": 500000.0,
     "false_northing": 0.0, **WGS84},
    {"grid_mapping_name": "transverse_mercator", "scale_factor_at_central_meridian": 0.9996012717,
     "longitude_of_central_meridian": -2.0, "latitude_of_projection_origin": 49.0, "false_easting": 400000.0,
     "false_northing": -100000.0, "semi_major_axis": 6377563.396, "inverse_flattening": 299.3249646},
    {"grid_mapping_name": "transverse_mercator", "scale_factor_at_central_meridian": 1.0,
     "longitude_of_central_meridian": 25.0, "latitude_of_projection_origin": 60.0, **SPHERE},
    {"grid_mapping_name": "albers_conical_equal_area", "standard_parallel": [29.5, 45.5],
     "longitude_of_central_meridian": -96.0, "latitude_of_projection_origin": 37.5, **WGS84},
    {"grid_mapping_name": "albers_conical_equal_area", "standard_parallel": [-18, -36],
     "longitude_of_central_meridian": 132.0, "latitude_of_projection_origin": 0.0, **SPHERE},
    {"grid_mapping_name": "lambert_azimuthal_equal_area", "longitude_of_projection_origin": 10.0,
     "latitude_of_projection_origin": 52.0, "false_easting": 4321000.0, "false_northing": 3210000.0,
     "semi_major_axis": 6378137.0, "inverse_flattening": 298.257222101},
    {"grid_mapping_name": "lambert_azimuthal_equal_area", "longitude_of_projection_origin": -2.5,
     "latitude_of_projection_origin": 54.9, **SPHERE},
    {"grid_mapping_name": "lambert_azimuthal_equal_area", "longitude_of_projection_origin": 0.0,
     "latitude_of_projection_origin": 90.0, **WGS84},
    {"grid_mapping_name": "lambert_azimuthal_equal_area", "longitude_of_projection_origin": 20.0,
     "latitude_of_projection_origin": -90.0, **SPHERE},
    {"grid_mapping_name": "lambert_azimuthal_equal_area", "longitude_of_projection_origin": 20.0,
     "latitude_of_projection_origin": 0.0, **WGS84},
    {"grid_mapping_name": "sinusoidal", "longitude_of_projection_origin": 0.0, "semi_major_axis": 6371007.181,
     "semi_minor_axis": 6371007.181},
    {"grid_mapping_name": "sinusoidal", "longitude_of_projection_origin": 30.0, **WGS84},
    {"grid_mapping_name": "geostationary", "perspective_point_height": 35786023.0, "longitude_of_projection_origin": -75.0,
     "latitude_of_projection_origin": 0.0, "sweep_angle_axis": "x", "semi_major_axis": 6378137.0,
     "semi_minor_axis": 6356752.31414},
    {"grid_mapping_name": "geostationary", "perspective_point_height": 35786400.0, "longitude_of_projection_origin": 0.0,
     "sweep_angle_axis": "y", "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563},
    {"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 39.25,
     "grid_north_pole_longitude": -162.0},
    {"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 32.5,
     "grid_north_pole_longitude": 190.0, "north_pole_grid_longitude": 12.0},
    {"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": -60.0,
     "grid_north_pole_longitude": 40.0},
]


def places(mapping):
    name = mapping["grid_mapping_name"]
    points = {"geostationary": RADIANS, "rotated_latitude_longitude": DEGREES}.get(name, METRES)
    points = [[x + mapping.get("false_easting", 0), y + mapping.get("false_northing", 0)] for x, y in points]
    crs = pyproj.CRS.from_cf(mapping)
    height = mapping.get("perspective_point_height", 1)
    transform = pyproj.Transformer.from_crs(crs, crs.source_crs or crs.geodetic_crs, always_xy=True)
    result = []
    for x, y in points:
        longitude, latitude = transform.transform(x * height, y * height)
        seen = abs(latitude) <= 90
        result.append([x, y, *([round(latitude, 9), round(longitude, 9)] if seen else [None, None])])
    return result


content = [{"mapping": mapping, "points": places(mapping)} for mapping in MAPPINGS]
path = pathlib.Path(__file__).with_name("projections.json")
lines = ",\n".join(json.dumps(each) for each in content)
head = json.dumps({"by": f"pyproj {pyproj.__version__}, PROJ {pyproj.proj_version_str}"})[:-1]
path.write_text(f'{head}, "cases": [\n{lines}\n]}}\n')

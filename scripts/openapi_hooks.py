"""Makes generated requests follow rules between parameters, which schemas of single parameters cannot state."""

import zlib

import schemathesis

# Conditions and their variables: what a text of them is, no pattern can state, as they have parentheses.
CONDITIONS = [
    ("precipitation>20", "precipitation"),
    ("temp_mean<0 or temp_mean>=25.5", "temp_mean"),
    ("precipitation 5..20,temp_mean>-2", "precipitation,temp_mean"),
    ("precipitation>q90", "precipitation"),
]
# These are of the blended members only.
JOINT_CONDITIONS = [
    ("precipitation>5 and temp_mean<0", "precipitation,temp_mean"),
    ("temp_mean<0 given (precipitation>1 or precipitation 0.1..0.5)", "precipitation,temp_mean"),
]


@schemathesis.hook
def map_case(context, case):
    """
    The first day is not after the last; points are within the globe; and texts of conditions are such, on variables of the answer.
    """
    query = case.query
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(query, dict):
        return case
    start, end = query.get("start_date"), query.get("end_date")
    if isinstance(start, str) and isinstance(end, str) and start > end:
        query["start_date"], query["end_date"] = end, start
    if "points" in query:
        query["points"] = ";".join(within_globe(point) for point in query["points"].split(";"))
    if isinstance(query.get("threshold"), str):
        usable = CONDITIONS if query.get("members") == "all" else CONDITIONS + JOINT_CONDITIONS
        number = zlib.crc32(query["threshold"].encode("utf-8", "surrogatepass"))
        query["threshold"], query["var"] = usable[number % len(usable)]
    return case


def within_globe(point):
    """A point with its coordinates cut to their ranges; a text that is none as it is."""
    try:
        latitude, longitude = (float(degrees) for degrees in point.split(","))
    except ValueError:
        return point
    if abs(latitude) <= 90 and abs(longitude) <= 180:
        return point
    return f"{max(-90, min(90, latitude))},{max(-180, min(180, longitude))}"

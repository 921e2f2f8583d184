"""Makes generated requests follow rules between parameters, which schemas of single parameters cannot state."""

import schemathesis


@schemathesis.hook
def map_case(context, case):
    """The first day is not after the last."""
    query = case.query
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(query, dict):
        return case
    start, end = query.get("start_date"), query.get("end_date")
    if isinstance(start, str) and isinstance(end, str) and start > end:
        query["start_date"], query["end_date"] = end, start
    return case

/**
 * The sentences of the decisions where the specification is silent, by section; each has an id within its section. A
 * row of a table is written as a sentence.
 */
export const DECISIONS = {
  Variables: {
    registry: 'One registry, extensible by callers (`defineVariable`).',
    properties:
      'A variable has: slug, group, CF `standard_name`, CF/UDUNITS unit, the label shown in responses, window rule, plausible bounds, decimals in JSON, derived or not, downscalable or not, and where it is available.',
    temperature:
      'temp_mean, temp_min, temp_max: temperature, degC (°C), mean, 2 decimals, -95 to 60, not derived, 1 km.',
    precipitation: 'precipitation: precipitation, mm (mm), sum, 2 decimals, 0 to 2000, not derived, not 1 km.',
    evapotranspiration:
      'evapotranspiration: evapotranspiration, mm (mm), sum, 2 decimals, 0 to 30, derived: FAO-56 Penman-Monteith ET0, not 1 km.',
    humidity: 'relative_humidity: humidity, % (%), mean, 1 decimal, 0 to 100, not derived, not 1 km.',
    dewPoint: 'dew_point: humidity, degC (°C), mean, 2 decimals, -100 to 40, derived: Magnus form, not 1 km.',
    vpd: 'vapor_pressure_deficit: humidity, kPa (kPa), mean, 3 decimals, 0 to 15, derived: FAO-56, not 1 km.',
    wind: 'wind_speed: wind, m s-1 (m/s), mean, 2 decimals, 0 to 110, not derived, not 1 km.',
    windMax: 'wind_speed_max, wind_gust_max: wind, m s-1 (m/s), mean, 2 decimals, 0 to 150, not derived, not 1 km.',
    solar: 'solar_radiation: solar radiation, MJ m-2 d-1 (MJ/m²/d), mean, 2 decimals, 0 to 50, not derived, 1 km.',
    bounds:
      'Bounds are reported when a file is inspected, never used to clip (real GEFS rain holds -1e-18 mm); -0 prints as 0.',
    derived:
      'Derived variables are computed per member and day, after blending, before windows, from coarse inputs (`downscaled: false`).',
    fao56:
      "FAO-56: actual vapour pressure from mean humidity as RH x e(mean temperature), the same in evapotranspiration, deficit and dew point (eq. 19 is 13 to 17 % too high there), by eq. 14 from a dew point, eq. 17 from extremes of humidity; wind at 2 m by eq. 47; elevation comes from the store's static `elevation` in metres; without it ET0 is unavailable: 400 that says so.",
    omitted: '`var` omitted: all non-derived variables that the endpoint has.',
    unknown: 'Unknown slug: 400 with the nearest known slug.',
  },
  'Days, horizons, periods': {
    utc: 'All days are UTC calendar days.',
    lead0:
      "Lead 0 is the first UTC day wholly covered by the short-term run; it is `today`, and `init_time` is that run's.",
    later: 'Later horizons keep their own init time; their days before today are dropped when blending.',
    legacyLeads: "Legacy endpoints count leads from their own horizon's first whole day.",
    spans: 'Spans used: short-term leads 0 to 14; subseasonal to lead 41; seasonal to its end, at most lead 214.',
    forecastDefaults: "Forecast `start_date` omitted: the timeline's first day; `end_date` omitted: its last.",
    historyDefaults:
      'History omitted: the last 366 days up to the last day available; v2 history begins 1995-01-01 even where the store starts earlier.',
    inclusive: 'Both bounds are inclusive.',
    wrongDates: 'Start after end, or a date that does not exist: 400.',
    outside: 'A range partly outside is cut; wholly outside: empty map, 200.',
    period:
      'v2 answers carry `period: {start_date, end_date}`, the days really used, or `null` (top level; in `meta` for history).',
    isoWeeks: 'Weeks are ISO 8601 (Monday to Sunday, ISO year in the key, week 53 where it exists).',
    months: 'Months are calendar months.',
    complete:
      'A window counts only if every day of it lies inside both the asked range and the data, on history as on statistics.',
    partial: 'The library offers partial windows by option; the endpoints do not use it.',
    nulls: "A day on the axis without values has an entry of nulls; a day beyond a variable's axis has no entry.",
    legacyDate: "Legacy entries carry `date`: the window's first day, `YYYY-MM-DD`.",
    climatologyDate: 'Legacy climatology has no year: `date` is `MM-DD` (366 entries), `W01` to `W53`, or `MM`.',
    legacySubseasonal: 'Legacy subseasonal: daily leads 7 to 41, weekly the complete ISO weeks in them.',
    legacySeasonal:
      'Legacy seasonal: daily lead 30 to the end, monthly the complete months that start on or after lead 0, at most 6.',
    legacyDefault: "A legacy call's default granularity is daily.",
    accumulation:
      'Amounts that grow from the start of a run, or fill buckets that reset, are told from amounts of each step by metadata (`GRIB_stepType`, cell methods, step ranges), else by their values where steps are shorter than a day (never falling in any member over days in which it rains; falling only at regular resets); what was decided is reported.',
    dailyAmounts:
      'Daily values are amounts of the day unless metadata or an option say otherwise; daily amounts that never fall in any member over 20 days or more (members of zeros not counted) get a warning.',
    neither: 'Where neither settles it, an error asks.',
    offsets: 'Times with an offset are shifted to UTC.',
    zones: 'Daily values of a zone other than UTC are an error that names the way to get UTC days.',
    modelCalendars:
      'Calendars without the real days (noleap, all_leap, 360_day): months and days by their own calendar, no weeks; `start` and `end` are text there; blending, ingest and the service reject them.',
  },
  Statistics: {
    quantiles: "Quantiles: Hyndman-Fan type 7 (numpy's default) by default; types 1 to 9 in the library.",
    mean: 'Arithmetic mean.',
    order: 'Windows per member first, then statistics over members.',
    missingDay: "A missing day makes that member's window missing (a sum is never scaled up).",
    share:
      'Statistics skip missing members and need at least 80 % of them (rounded up); below that every field of the entry is `null`.',
    allMissing: 'All-missing never becomes 0.',
    ties: 'Where a value meets a limit (thresholds, conditions, categories), decimals that differ in their last bits tie: within 1e-12 x max(1, |limit|) of it, in float64; in float32 values are compared as rounded.',
    overflow: 'A sum that overflows is a data error.',
    infinity: 'NaN and Arrow nulls mean the same; an infinity in input is a data error.',
    list: 'Quantiles are asked as plain decimals, at most 6 places, no exponent, no empty item, at most 99; duplicates collapse, the order asked for is kept.',
    names:
      'Field names: `q` and the decimals after the point, trailing zeros trimmed, at least two digits: 0.05 is `q05`, 0.5 `q50`, 0.025 `q025`, 0 `q00`, 1 `q100`.',
    rounding:
      "JSON numbers are rounded to the variable's decimals after all arithmetic; shares and probabilities to 4 decimals; missing is `null`.",
  },
  Blending: {
    trajectories: 'Members are trajectories of fields.',
    seam: 'At a seam each member of the earlier horizon continues as one member of the later one: one permutation and one set of switch days per seam for a whole field, or for overlapping regions between which it passes smoothly, shared by all variables and points, independent of the request, kept with the run.',
    pairing:
      "How the permutation is found (rank, or least distance over the overlap) and the regions' size follow from the published table of what each keeps: variance of area means, neighbours, persistence, totals, tails.",
    singlePlace: 'A single place is a field of one.',
    notAveraged: 'Values of two models are never averaged: that halves the variance and turns dry days to drizzle.',
    staggered:
      'The hand-over is staggered: over the overlap (the last 3 days of short-term, the last 7 of subseasonal; configurable) members switch one after the other, so that on each day the ensemble is the linearly weighted mixture of the two.',
    sizes:
      "A larger later ensemble is thinned to the first horizon's size by whole members, the same everywhere, without bias in mean, variance or tails; a smaller one repeats members, and the report gives the count of distinct ones.",
    ownMembers: 'Windows within one horizon may use all its members on request.',
    splice: '`splice` (hard cut, index pairing) and pairing by cell stay as baselines.',
    report:
      "The library reports each day's share of each horizon, and per seam the jump of the mean, the variance ratio, the lag-1 rank correlation across the seam against inside, and where there is a grid the variance of the area mean.",
    lacks: 'A variable that later horizons lack keeps the members of its last horizon to its end.',
    missingHorizon: 'A horizon missing as a whole: the timeline ends where data ends; a gap stays a gap.',
  },
  'Climatology and terciles': {
    reference: 'Reference 1993-2022.',
    daily:
      "Daily: for each reference date its +-7 consecutive days, cut at the reference's ends; 29 February is centred on 28 February in common years.",
    weekly:
      'Weekly: ISO years 1993 to 2022, days beyond the calendar years included; W53 pools, in every reference year, the seven days from 28 December.',
    monthly: "Monthly: each year's own total or mean.",
    rules: 'Sums and means follow the same rule as forecasts.',
    terciles:
      'Terciles: thresholds are the 1/3 and 2/3 quantiles of the reference for that week or month; below and above are strict, ties count as normal; the three are shares of valid members.',
    degenerate: 'Coinciding thresholds (a dry season) are legal and reported as degenerate.',
    model:
      "A source may supply a model climatology per horizon (it removes the model's bias from the probabilities); where it does, it is used; `meta.tercile_reference` says which.",
    ties: "Equal decimal totals differ in the last bits of float64: a value within 1e-12 x max(1, |limit|) of a category's limit ties with it.",
    incomplete: 'An incomplete window has no shares.',
    pieces:
      'Several single-member tables are one history in pieces (a day twice is an error); tables with members are runs, pooled.',
    radiation:
      'Rs/Rso in FAO-56 lies within 0.3 and 1; where Rso is below 1 MJ it is that of the last day above, else 0.5; ET0 is never below 0.',
  },
  Responses: {
    raw: "v2 raw members: the statistics response's metadata, and `variables.<var> = {units, downscaled, members: {date: [numbers]}}`, members in a fixed order, `null` for missing.",
    extra: 'v2 statistics: besides what the specification lists, each variable carries `units` and `downscaled`.',
    locations:
      'Locations are `{latitude, longitude}`; the top-level `closest_location` is the coarse point; a downscaled variable adds its own `closest_location`.',
    historyLocation: "v2 history's `meta.location` is the coarse point used.",
    legacyMeta:
      "v1: `meta: {variables, dropped_variables, granularity, units: {slug: label}, location: {latitude, longitude}, location_id?, init_time?, reference_period?, tercile_reference?}`; `data: [{date, attributes: {<var>: {...}}}]`; history's `values` is one number or null.",
    nested: 'Dotted names of the specification are nested objects: `attributes.temp_mean.quantile["quantile_0.05"]`.',
    dropped:
      'v1 drops variables that its horizon lacks and lists them in `meta.dropped_variables`; 400 only if none remains.',
    gust: 'Gust is absent from short-term entries after lead 9.',
    strings:
      '`init_time` is ISO 8601 UTC with `Z`; `generation` is an opaque unique string; an `attribution` string from the source is passed on in the metadata.',
    sizes:
      'The size claim of section 9.4 is measured, minified and gzipped, and reported as it is; v1 is never padded to meet it.',
    columns:
      "v2 as CSV or Arrow has the columns of the statistics table: `variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q05,...` (`start` and `end` inclusive, the calendar window's; `n_members` those valid); raw members: `variable,units,latitude,longitude,date,member_00,...`.",
  },
  'Locations and history': {
    snap: 'Snap to the nearest grid point, longitude wrapped at +-180, poles handled.',
    coordinates: 'Coordinates are finite numbers in range, otherwise 400.',
    covered: 'A point farther from the data than one grid step: 404, code `location-not-covered`.',
    stored:
      "A stored location's id is 1 to 64 of `A-Z a-z 0-9 _ -`; it belongs to an owner or is public; unknown or foreign: 404 with the same body.",
    preloaded:
      'v1 history snaps to a 0.25 degree grid and serves only points that were pre-loaded; others: 404, code `location-not-ingested`.',
    cached: 'v2 history fetches on demand and keeps what it got.',
  },
  HTTP: {
    order: 'Order of checks: path, method, key, parameters, data.',
    keys: 'All data endpoints need a key; health, readiness, `openapi.json`, docs pages and OPTIONS do not.',
    problem:
      'Errors are RFC 9457 `application/problem+json`: type, title, status, detail, instance, stable `code`, and `errors: [{parameter, detail, received, allowed}]`, all faults of a request at once.',
    statuses:
      '400 bad parameters, 401 key missing or unknown, 404 unknown path or location, 405 with Allow, 406, 429 with Retry-After, 500 with an id and no internals, 503 with Retry-After where a source fails or more is asked at once than can be computed.',
    bodies: 'No body starts before its values are computed; a long one may then be written in pieces.',
    secrets: 'Secrets never appear in errors or logs.',
    unknown:
      'Unknown parameters: v2 400 with the nearest name; v1 ignores them (existing integrations keep working), except `start_date`, `end_date`, `statistics` and `use_downscaling`, and `granularity` on `/v1/history`: 400 that names the v2 endpoint.',
    booleans: 'Booleans are `true` or `false`, in any case; anything else is 400.',
    twice: 'A parameter other than `var` given twice is 400.',
    caching:
      'Success carries ETag (run, data revision, query, media type, effective downscaling, library version), `Cache-Control: private` up to the next run, `Vary: Accept, Accept-Encoding, X-Api-Key, Origin`, CORS; HEAD and OPTIONS work; If-None-Match gives 304.',
    types: 'JSON is the default; `Accept: text/csv` and `application/vnd.apache.arrow.stream` are offered on v2.',
    stored:
      'Keys are stored only as hashes and compared in constant time; a key carries its owner and whether 1 km is provisioned; it is shown once, when made.',
    coded:
      'Extension: long answers are compressed (gzip; zstd where the runtime has it) by `Accept-Encoding`, with an ETag of their own.',
    ids: 'Extension: each response has an `X-Request-Id`: that of the request where it is sane, else a new one; a valid W3C trace context is passed to hooks.',
    limits:
      'Extension: where keys are limited, responses have `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); 429 has them, too.',
    quotas:
      'Extension: a key may have a quota of costs for each day in UTC: the same headers have it as `"day"`, and 429 `quota-exceeded` ends at midnight.',
    terms:
      'Extension: a key that has expired, was revoked or is not valid yet is a 401 with a code of its own that says since or from when.',
    away: 'Extension: where changes of keys may be missed, as their store is away, responses have `Keys-Age` in seconds.',
  },
  'Not to be built': {
    out: 'The specification marks as in development: a flexible climatology endpoint, growing degree days, alerts. They stay out.',
  },
};

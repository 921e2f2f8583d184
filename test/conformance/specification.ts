/**
 * The sentences of the specification, by section; each has an id within its section. A row of a table is written as a
 * sentence.
 */
export const SPECIFICATION = {
  'Weather Data Service Specification': {
    baseUrl: 'All endpoints are addressed relative to {base_url}.',
  },
  '1 What the service does': {
    point:
      'The service returns global weather and the service data for a point given by latitude and longitude, as JSON over HTTP.',
    history: 'It offers three families of data: History: what was observed or reanalysed, day by day.',
    climatology: 'Climatology: long-term statistical baselines for a location and time of year.',
    forecasts: 'Forecasts: probabilistic ensemble forecasts at three horizons.',
    shortTerm: 'short-term: about 15 days.',
    subseasonal: 'subseasonal: up to 6 weeks.',
    seasonal: 'seasonal: up to 6 months.',
    generations: 'There are two generations of endpoints: current (/v2/...) and legacy (/v1/...).',
    timeline:
      'The current forecast endpoints blend the three horizons into one continuous timeline from today to about 6 months ahead.',
    oneCall: 'A call needs no manual splicing across horizon boundaries.',
    separate: 'The legacy forecast endpoints expose each horizon separately.',
    development:
      'In development, with paths and parameters not final (do not build): a flexible climatology endpoint with a choosable reference period, custom quantiles, variable selection and daily/weekly/monthly granularity; Growing Degree Days (heat accumulation from historical and forecast temperature, cross-year statistics, multi-location and multi-planting stage tracking); and Alerts (subscriptions to threshold-based weather events, e.g. forecast precipitation above a threshold over the next N days at a location).',
  },
  '2.1 Variable': {
    slug: 'A variable is selected by a slug string.',
    known: 'Known slugs: temp_mean, precipitation.',
    groups:
      'Groups of variables that exist: temperature (including a mean, and a trio of temperature variables that can be downscaled), precipitation, evapotranspiration, humidity, wind (including Max Wind Speed and Max Wind Gust), solar radiation.',
    derived: 'Some variables are derived.',
    units: 'Each variable carries a units string in responses (for example a Celsius unit label).',
    list: 'Complete list of variable slugs, their units and their per-endpoint availability: not shown beyond temp_mean, precipitation and the groups named here.',
  },
  '2.2 Period keys': {
    daily: 'daily keys are YYYY-MM-DD.',
    weekly: 'weekly keys are the ISO week, YYYY-Www; Monday to Sunday. Statistics endpoint: only complete weeks.',
    monthly: 'monthly keys are YYYY-MM; calendar month. Statistics endpoint: only complete months.',
  },
  '2.3 Current history response (/v2/history)': {
    'meta.variables': 'meta.variables is an array of string, the variables returned.',
    'meta.granularity': 'meta.granularity is a string: daily, weekly or monthly.',
    'meta.location.latitude': 'meta.location.latitude is a number, the latitude used.',
    'meta.location.longitude': 'meta.location.longitude is a number, the longitude used.',
    data: 'data.<var> is an object, one per returned variable.',
    units: 'data.<var>.units is a string, the unit label.',
    downscaled: 'data.<var>.downscaled is a boolean, whether the values are downscaled data.',
    values: 'data.<var>.values is an object, a map from period key to number.',
  },
  '2.4 Current forecast statistics response (/v2/forecast/statistics)': {
    top: 'The response has flat top-level metadata and a variables object keyed by variable slug.',
    init_time: 'init_time is a timestamp, when the model run was issued.',
    version: 'version is a string, the model/dataset version.',
    generation: 'generation is a string, a unique generation identifier.',
    'location.requested': 'location.requested is an object, the coordinates asked for.',
    'location.closest_location':
      'location.closest_location is an object, the grid location actually used (snap-to-grid is explicit).',
    statistics: 'variables.<var>.statistics is an object, a map from period key to a statistics entry.',
    entry: 'A statistics entry holds mean and one field per requested quantile.',
    defaults: 'For the default quantiles the fields are mean, q05, q25, q50, q75, q95.',
    names: 'Field names for other quantile values: not shown.',
  },
  '2.5 Legacy response (all /v1 data endpoints)': {
    shape:
      'The shape is { meta, data }, where data is an array of per-date entries and each entry holds attributes.<var>.',
    values: 'For history, attributes.<var>.values holds the values.',
    date: 'Exact name and format of the date field within an entry: not shown.',
    ensemble_mean: 'ensemble_mean is the ensemble mean (forecast only).',
    quantile:
      'quantile.quantile_0.05, quantile.quantile_0.25, quantile.quantile_0.50, quantile.quantile_0.75, quantile.quantile_0.95 are the fixed quantile set.',
    probability:
      'probability.clim_prob_0.00-0.33, probability.clim_prob_0.33-0.67, probability.clim_prob_0.67-1.00 are tercile probabilities, only in legacy subseasonal weekly and seasonal monthly responses.',
    climatology:
      'Legacy climatology returns only the five fixed quantiles [0.05, 0.25, 0.50, 0.75, 0.95]: no mean and no terciles.',
  },
  '2.6 Stored location': {
    path: 'Legacy endpoints can address a server-side stored location by an id in the path.',
    fields: 'Fields of a stored location, how it is created and the format of the id: not shown.',
  },
  '3 States and transitions': {
    states: 'States and transitions: not shown.',
    lifecycle: 'No resource lifecycle is described.',
  },
  '4 Endpoints': {
    get: 'All endpoints use GET with query parameters and return JSON.',
    dates: 'Dates are YYYY-MM-DD strings.',
  },
  '4.1 Current forecast: raw runs': {
    members: 'GET /v2/forecast returns the raw ensemble members (about 31) of the blended forecast.',
    lat: 'lat, float, required: latitude, -90 to 90.',
    lon: 'lon, float, required: longitude, -180 to 180.',
    var: 'var, string: one or more variable slugs: single (temp_mean), comma-separated (temp_mean,precipitation), or repeated (var=a&var=b).',
    start_date: 'start_date, string: YYYY-MM-DD.',
    end_date: 'end_date, string: YYYY-MM-DD.',
    use_downscaling:
      'use_downscaling, bool: request downscaled data (1 km, 0.0083 degrees) when available; default true.',
    effect:
      'Downscaling takes effect only when the API key is provisioned for 1 km and only for downscalable variables (the temperature trio and solar radiation).',
    otherwise: 'Otherwise the coarser data is returned.',
    layout: 'Response layout of the raw runs: not shown.',
  },
  '4.2 Current forecast: statistics': {
    statistics:
      'GET /v2/forecast/statistics returns the mean and configurable quantiles over the ensemble, with optional temporal aggregation.',
    parameters: 'It takes lat, lon, var, start_date, end_date and use_downscaling exactly as in 4.1.',
    quantiles: 'statistics, string: comma-separated quantiles, each in [0, 1]; default 0.05,0.25,0.50,0.75,0.95.',
    granularity: 'granularity, string: daily (default), weekly or monthly.',
    response: 'Response: see 2.4.',
    daily: 'daily: statistics keyed by date.',
    weekly: 'weekly: ISO weeks, Monday to Sunday, complete weeks only.',
    monthly: 'monthly: calendar months, complete months only.',
    combined: 'Daily values are combined within the window before quantiles are computed.',
    summed: 'Precipitation and evapotranspiration are summed within the window.',
    averaged: 'Temperature, humidity, wind and solar radiation variables are averaged within the window.',
    example:
      "Example: for weekly precipitation with 31 members, each member's 7 daily values are summed and quantiles are computed over the 31 sums.",
  },
  '4.2 Equivalents of the legacy calls on this endpoint': {
    shortTerm: 'short-term: end_date about today+15 days, granularity daily.',
    subseasonal: 'subseasonal: start_date today+14 days, end_date today+42 days, granularity weekly.',
    seasonal: 'seasonal: start_date today+30 days, end_date today+180 days, granularity monthly.',
    timeline: 'whole timeline: end_date today+180 days, one granularity, in one call.',
  },
  '4.3 Legacy forecast (by lat/lon)': {
    noDates: 'These take no date-range parameters; each call returns the current forecast for its predefined horizon.',
    quantiles: 'Each returns the fixed quantiles q05, q25, q50, q75, q95.',
    independent: 'The three are independent products and do not combine into one timeline.',
    shortTerm:
      'GET /v1/forecast/short-term: daily, about 15 days; Max Wind Gust is available only for the first 10 days.',
    subseasonal:
      'GET /v1/forecast/subseasonal: daily, weekly, weeks 2-6; weekly responses add tercile probabilities; Max Wind Speed and Max Wind Gust are dropped.',
    seasonal:
      'GET /v1/forecast/seasonal: daily, monthly, months 1-6; monthly responses add tercile probabilities; Max Wind Speed and Max Wind Gust are dropped.',
    stored:
      'Stored-location variants, with the same responses and constraints: GET /v1/forecast/short-term/location/{id}, GET /v1/forecast/subseasonal/location/{id}, GET /v1/forecast/seasonal/location/{id}.',
    parameters:
      'Full query parameter list of the legacy forecast endpoints: not shown beyond lat, lon and var as used in their example calls.',
    noStored:
      'The forecast endpoints have no /v2/forecast/location/{id} variant; current endpoints accept only lat/lon.',
  },
  '4.4 Current history': {
    history:
      'GET /v2/history returns 30+ years (1995 to present) of history, from a global reanalysis dataset with automatic gap-filling for the lag between the reanalysis and the present.',
    onDemand:
      'Data is fetched on demand when not yet cached, so no pre-loading step and no location-not-ingested error exists.',
    lat: 'lat, float, required: -90 to 90.',
    lon: 'lon, float, required: -180 to 180.',
    var: 'var, string: variable(s); default all non-derived variables.',
    start_date: 'start_date, string: YYYY-MM-DD.',
    end_date: 'end_date, string: YYYY-MM-DD.',
    granularity: 'granularity, string: daily (default), weekly (ISO weeks) or monthly.',
    use_downscaling:
      'use_downscaling, bool: request downscaled 1 km / 0.0083 degree data; default true; effective only with a 1 km key and downscalable variables.',
    aggregation:
      'Aggregation is variable-aware: precipitation and evaporation are summed; temperature, humidity and wind are averaged.',
    response: 'Response: see 2.3.',
    keys: 'Key format of weekly and monthly history values: not shown.',
    noStored: 'There is no /v2/history/location/{id} variant.',
  },
  '4.5 Legacy history': {
    history:
      'GET /v1/history: lat, lon, var; rolling 12 months (about 366 days), daily, fixed; no date-range or granularity control; locations snapped to the 0.25 degree grid.',
    stored: 'GET /v1/history/location/{id}: var; stored-location variant; same response and constraints.',
  },
  '4.6 Legacy climatology': {
    reference:
      'GET /v1/climatology: distributions over a fixed 30-year reference period (1993-2022), refreshed periodically by the operator and not rolling per request.',
    stored:
      'GET /v1/climatology/location/{id}: stored-location variant; same parameters except lat/lon are replaced by the id.',
    lat: 'lat, string, required: latitude, -90 to 90.',
    lon: 'lon, string, required: longitude, -180 to 180.',
    var: 'var, string: variable slug.',
    granularity: 'granularity, string: daily, weekly or monthly.',
    noCurrent: 'There is no current climatology endpoint yet.',
    layout: 'Response layout of climatology, and defaults when var or granularity is omitted: not shown.',
    defaults:
      'Defaults of var, start_date and end_date when omitted on the forecast endpoints, and of start_date and end_date on history: not shown.',
  },
  '5 Authentication': {
    key: 'Every request requires an API key in the request header X-Api-Key, carrying <API_KEY>.',
    operator: 'Keys are obtained from the operator by contacting its sales contact (<EMAIL>).',
    downscaling:
      'Downscaling to 1 km is enabled per key by the account manager; without it use_downscaling has no effect.',
  },
  '6 Events': {
    events: 'Events: not shown.',
    webhooks: 'No webhooks or notifications are described.',
    alerts: 'Alerts are in development and their paths and parameters are not finalized.',
  },
  '7 Errors': {
    notPreloaded:
      'Legacy /v1/history and its location variant may return errors for locations that have not been pre-loaded.',
    onDemand: '/v2/history does not produce such errors, because data is fetched on demand.',
    body: 'Error status codes and body shape: not shown.',
    parameters: 'Behaviour for out-of-range or invalid parameters: not shown.',
  },
  '8 Limits': {
    lat: 'lat is -90 to 90.',
    lon: 'lon is -180 to 180.',
    quantiles: 'quantiles in statistics are each in [0, 1].',
    members: 'ensemble size is about 31 members.',
    shortTerm: 'short-term horizon is about 15 days; Max Wind Gust only the first 10 days.',
    subseasonal: 'subseasonal horizon is weeks 2-6.',
    seasonal: 'seasonal horizon is months 1-6.',
    span: 'overall forecast span is about 6 months.',
    history: 'current history coverage is 1995 to present.',
    legacyWindow: 'legacy history window is rolling about 366 days, daily only.',
    legacyGrid: 'legacy history grid is 0.25 degrees.',
    reference: 'climatology reference period is 1993-2022, fixed.',
    downscaled:
      'downscaled resolution is 1 km (0.0083 degrees), temperature trio and solar radiation only, keys provisioned for it.',
    rate: 'Rate limits: not shown.',
    size: 'Maximum date range or response size per request: not shown.',
  },
  '9 Versioning': {
    prefixes: 'Current endpoints are under /v2/ (forecast, forecast/statistics, history); legacy endpoints under /v1/.',
    canonical: 'The /v1/ prefix is the canonical legacy form.',
    alias:
      'The unprefixed form (for example /forecast/short-term) is an alias kept for existing integrations and keeps working.',
    supported:
      'Legacy endpoints stay supported for the foreseeable future; new integrations should use the current endpoints.',
    legacyOnly: 'Only legacy offers stored-location id variants and native tercile probabilities.',
    payload:
      'Legacy responses are { meta, data: [...] } with per-date entries; current responses are date-keyed maps, with roughly 70-80% smaller payloads.',
    renames:
      'Statistic field renames from legacy to current: ensemble_mean to mean; quantile.quantile_0.05, _0.25, _0.50, _0.75, _0.95 to q05, q25, q50, q75, q95; the three tercile probability fields have no current equivalent.',
    added:
      'Current forecast responses add init_time, version, generation, location.requested and location.closest_location.',
  },
};

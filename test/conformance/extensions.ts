/**
 * The sentences of the extensions, which go beyond the specification, by section; each has an id within its section.
 */
export const EXTENSIONS = {
  'Extension: exceedance shares': {
    marked:
      'Parameters that go beyond the specification are marked `x-extension` in the OpenAPI document; without them, bodies are those of the specification.',
    shares:
      '`threshold` of `/v2/forecast/statistics` lists conditions such as `precipitation>20`; each adds the share of members whose window fulfils it to the entries of its variable.',
    names: 'Fields are named as in tables of statistics: `p_gt_20`, `p_ge_30`, `p_lt_-5`, `p_le_0.1`.',
    rounding: 'Limits are in the unit of the response; shares are rounded to 4 decimals.',
    missing: 'Shares are those of the valid members, and null where the quantiles are.',
    tables: 'CSV and Arrow have a column for each share, empty for variables without that condition.',
    faults:
      'What is no condition, and a condition on a variable that the answer does not have, is a fault of the parameter: 400.',
  },
  'Extension: conditions': {
    one: '`threshold` also takes ranges, `and`, `or`, `given`, parentheses and quantiles of the climatology such as `q90`; of one variable its share stands in the entries of that variable, without its name: `p_5_to_20`, `p_gt_clim_q90`.',
    several:
      'A condition on several variables stands in the entries of each, as `p_precipitation_gt_5_and_temp_mean_lt_0`: the share of the timeline whose members fulfil it, null in windows that not all of them have.',
    tables: 'CSV and Arrow have its column, empty for variables that it does not name.',
    members:
      'With `members=all`, conditions on one variable are of all members; on several variables they are a fault.',
    climatology:
      'Quantiles are of the climatology of `terciles`, on the coarse grid, and stated like it; where there is none: 503, `climatology-unavailable`; a quantile that a supplied one does not have is a fault.',
    faults:
      'What is no condition is a fault that says at which character; so are a comparison without a variable, variables that the answer does not have, and variables with different members.',
  },
  'Extension: tercile shares': {
    shares:
      '`terciles=true` on `/v2/forecast/statistics` adds `p_below`, `p_normal` and `p_above`: the shares of members in the terciles of the history for the same day, week or month of the year.',
    reference: '`reference_period` states the years, 1993 to 2022 of the history, `tercile_reference` the climatology.',
    supplied: 'A climatology of observations that the source supplies is used instead of the history.',
    coarse: 'Forecast and history are compared on the coarse grid: 1 km data are not used.',
    partly: 'The shares of a variable without a history of all reference years are null.',
    none: 'Where no variable has such a history: 503, `climatology-unavailable`.',
  },
  'Extension: skill': {
    fields:
      '`skill=true` on `/v2/forecast/statistics` adds `crpss`, `rpss` and `skill_cases` to each window: the skill of earlier forecasts at its place and lead, of the CRPS and of the RPS of terciles, against the climatology, and how many they are.',
    few: 'Skill is null below 20 cases, which are stated.',
    period: '`skill_period` states the first and the last verified day.',
    none: 'A variable without a record has null and 0; without any record there is no `skill_period`.',
    tables: 'CSV and Arrow have the columns `crpss`, `rpss` and `skill_cases`.',
    default: 'Without `skill`, bodies are the same with and without a record, byte for byte.',
    changes: 'When forecasts are scored, the tag of answers with skill changes, and that of others does not.',
  },
  'Extension: horizons': {
    days: '`horizons=true` on `/v2/forecast` and `/v2/forecast/statistics` adds `horizons` to each variable: the first and the last day on which members may come from each horizon, from the shortest.',
    shared: 'Where two horizons share days, members change from one to the other on these.',
    variable: 'A horizon that a variable does not have is not listed; a derived variable has those of all its inputs.',
    timeline: 'The days are those of the whole timeline, whatever days and windows are requested.',
    tables:
      'Arrow has them as metadata `horizons` in JSON: a list as in the tables of `blend`, of several variables an object with such a list for each; CSV does not have them.',
    unknown: 'Data that do not state them are answered without.',
  },
  'Extension: all members': {
    windows:
      '`members=all` on `/v2/forecast/statistics`: windows on whose days all members of the timeline are of one horizon are of all members of that horizon, others are as without.',
    days: 'On `/v2/forecast`, a day has all members of the horizon that all members of the timeline are of, else those of the timeline.',
    ensembles:
      'Each variable has `ensembles`, in order of time: between two dates, how many members windows or days have, and of which horizon, or `blended`.',
    distinct:
      'A horizon with fewer members than the timeline is as without; `distinct_members` states how many it has.',
    shares: 'Exceedance and tercile shares are those of the same members.',
    fine: '1 km data are of the members of the 1 km runs.',
    derived: 'Derived variables are computed from all members of their inputs.',
    tables: 'CSV and Arrow have the column `horizon`, and CSV of raw members empty fields where a day has fewer.',
    points: 'With `points`, each place has what a request for it alone has.',
    unknown: 'Data that do not state the days of horizons are answered with the members of the timeline.',
  },
  'Extension: several points': {
    points:
      '`points=LAT,LON;LAT,LON` in place of `lat` and `lon`, on all `/v2` endpoints: the body is `{ "points": [...] }`, for each point the body of a request for it alone, byte for byte, in the order requested.',
    paths:
      'The same at `/v2/forecast/points`, `/v2/forecast/statistics/points` and `/v2/history/points`, where `points` is required and `lat` and `lon` are not known: OpenAPI documents show these, so that `lat` and `lon` are required of the others.',
    limit: 'At most 100 points; a point given twice is answered twice.',
    problems: 'A point off the grid has its problem in its place, the others are answered: 200.',
    common: 'What no point can be answered for is the problem of the response, as with one point.',
    faults:
      'An item that is empty or no point is a fault of the parameter that names its position; `lat` or `lon` besides `points` is a fault.',
    tables:
      'CSV and Arrow have the rows of all points, with the columns `requested_latitude` and `requested_longitude`; points with problems have no rows, and where no point has an answer, the response is the problem of the first.',
    long: 'Long bodies of several points are written in pieces, as others are.',
  },
};

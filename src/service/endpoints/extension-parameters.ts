import type { Point } from '../../ensemble/nearest-place.js';
import { MIN_SKILL_CASES } from '../../respond/v2/statistics-answer.js';
import { flag, MAX_WORD_LENGTH, type Parameter, plainDegrees, type Reject, readDegrees } from './parameters.js';

/*
 * Parameters that go beyond the specification of the service.
 */

/** The most points of one request. */
export const MAX_POINTS = 100;

const DEGREES = '[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?';

/** Several points in place of one. */
export function pointsParameter(): Parameter<'points', readonly Point[] | undefined> {
  return {
    name: 'points',
    description:
      `Several points: at most ${MAX_POINTS} pairs \`LAT,LON\` in degrees, separated by semicolons. ` +
      'The JSON body is `{"points": [...]}`: in the order of the request, for each point what a request for it alone is answered with, or, ' +
      'for a point that has no answer, such as one off the grid, its problem; the status is 200 all the same. A point given twice is answered twice. ' +
      'CSV and Arrow have the rows of all points, with the columns `requested_latitude` and `requested_longitude`; points with problems have no rows, ' +
      'and where no point has an answer, the response is the problem of the first.',
    schema: { type: 'string', pattern: `^${DEGREES},${DEGREES}(;${DEGREES},${DEGREES}){0,${MAX_POINTS - 1}}$` },
    example: '37.25,-80;37.5,-80',
    required: false,
    repeatable: false,
    maxLength: Number.POSITIVE_INFINITY,
    allowed: `1 to ${MAX_POINTS} pairs LAT,LON separated by semicolons: latitudes from -90 to 90, longitudes from -180 to 180`,
    extension: true,
    replaces: ['lat', 'lon'],
    read(text, reject) {
      const items = text.split(';');
      if (items.length > MAX_POINTS) return reject(`has ${items.length} points`);
      const points = items.map((item, i) =>
        readPoint(item, (detail) => reject(`has ${detail} at position ${i + 1}`, { received: item })),
      );
      return points.includes(undefined) ? undefined : (points as Point[]);
    },
  };
}

function readPoint(item: string, reject: Reject): Point | undefined {
  if (item === '') return reject('an empty item');
  const comma = item.indexOf(',');
  if (comma < 0) return reject('no pair of coordinates');
  const latitude =
    plainDegrees(item, 0, comma, 90) ??
    readDegrees(item.slice(0, comma), 90, (detail) => reject(`a latitude that ${detail}`));
  const longitude =
    plainDegrees(item, comma + 1, item.length, 180) ??
    readDegrees(item.slice(comma + 1), 180, (detail) => reject(`a longitude that ${detail}`));
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Whether the days of each horizon are requested. */
export function horizonsParameter(): Parameter<'horizons', boolean> {
  const description =
    'Whether to add `horizons` to each variable: for each horizon that it was blended from, from the shortest, the first and the last day on which members may come from it. ' +
    'Where two horizons share days, members change from one to the other on these. The days are those of the whole timeline, whatever days are requested. ' +
    'In Arrow, they are metadata of the schema; CSV does not have them. Without effect where the data do not have them.';
  return { ...flag('horizons', description, false), extension: true };
}

const MEMBER_CHOICES = ['blended', 'all'] as const;

/** Which members are requested: undefined for the blended timeline. */
export function membersParameter(): Parameter<'members', 'all' | undefined> {
  return {
    name: 'members',
    description:
      'Which members to use. `blended`: the members of the blended timeline, each from the shortest horizon to the longest; of a larger ensemble it has as many as the shortest horizon, chosen at random. ' +
      '`all`: where every member of the timeline comes from one horizon on all days of a window, all members of that horizon; other windows are as with `blended`. ' +
      'More members make the same estimate with less sampling error: that of a share of 101 members is 55 % of that of 31. ' +
      'Each variable then has `ensembles`: a list of `{"horizon", "members", "start_date", "end_date"}` in order of time, which state for the windows, or days, between two dates how many members they have and of which horizon, or `blended`; ' +
      '`distinct_members` follow where members of a small horizon are repeated. CSV and Arrow have a column `horizon`. ' +
      'Members in the same place of lists of raw members are the same trajectory only within one of these ensembles.',
    schema: { type: 'string', enum: MEMBER_CHOICES, default: 'blended' },
    example: 'blended',
    required: false,
    repeatable: false,
    maxLength: MAX_WORD_LENGTH,
    allowed: MEMBER_CHOICES.join(' or '),
    extension: true,
    read(text, reject) {
      if (text === 'all') return text;
      return text === 'blended' ? undefined : reject('is not a choice of members');
    },
  };
}

/** Whether shares of terciles are requested. */
export function tercilesParameter(): Parameter<'terciles', boolean> {
  const description =
    "Whether to add the shares of members below, within and above the terciles of the history's years 1993 to 2022, for the same day, week or month of the year: " +
    '`p_below`, `p_normal` and `p_above`, rounded to 4 decimals; values on a tercile are normal. `reference_period` and `tercile_reference` state the years and the climatology, ' +
    'which may be one that the operator supplies. Forecast and history are compared on the coarse grid: 1 km data are not used. ' +
    'The shares of a variable without such a history are null; where no variable has one, the problem is `climatology-unavailable`.';
  return { ...flag('terciles', description, false), example: false, extension: true };
}

/** Whether the skill of earlier forecasts is requested. */
export function skillParameter(): Parameter<'skill', boolean> {
  const description =
    `Whether to add how good earlier forecasts of the same horizon were at the place and lead of each window, as the operator's record has it: \`crpss\` and \`rpss\`, the skill of the CRPS and of the RPS of terciles against the climatology (1 is perfect, 0 no better than the climatology, negative worse), rounded as values of the variable, ` +
    `and \`skill_cases\`, the number of forecasts. Skill is null below ${MIN_SKILL_CASES} of them. \`skill_period\` states the first and the last day that was verified. ` +
    'A window is of the horizon of its middle day, the longer one where two share it; its lead counts from the start of that run. It is of the coarse grid. Variables without a record have null and 0.';
  return { ...flag('skill', description, false), example: false, extension: true };
}

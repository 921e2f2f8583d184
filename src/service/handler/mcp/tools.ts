import { GRANULARITIES } from '../../../period/period.js';
import { variables } from '../../../variable/built-in.js';
import type { ArgumentsSchema, ValueSchema } from './check-arguments.js';

/** The arguments of a call, which fit the schema of its tool. */
export interface ToolArguments {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly place?: string;
  readonly variables: readonly string[];
  readonly granularity?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly quantiles?: readonly number[];
  readonly conditions?: readonly string[];
  readonly terciles?: boolean;
  readonly skill?: boolean;
}

/** A tool that asks the service for data. */
export interface DataTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Of the request that it makes. */
  readonly path: string;
}

interface ObjectSchema extends ArgumentsSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly [key: string]: unknown;
}

const PLACE: Readonly<Record<string, ValueSchema>> = {
  latitude: { type: 'number', minimum: -90, maximum: 90, description: 'Degrees north, with longitude.' },
  longitude: { type: 'number', minimum: -180, maximum: 180, description: 'Degrees east, with latitude.' },
  place: {
    ...{ type: 'string', minLength: 1, maxLength: 100 },
    description:
      'A town in place of latitude and longitude, with its country where there are several: "Paris, France".',
  },
};

const slugs = (product: 'history' | 'short-term') =>
  variables.filter(({ availability }) => product in availability).map(({ slug }) => slug);

const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$';
const SLUG_PATTERN = '^[a-z0-9_]{1,64}$';
const CONDITION_PATTERN = '^[^,]{1,500}$';

/** What patterns allow, in words. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = /* @__PURE__ */ Object.freeze({
  [DATE_PATTERN]: 'a date as YYYY-MM-DD',
  [SLUG_PATTERN]: 'the name of a variable, such as precipitation',
  [CONDITION_PATTERN]: 'a condition of 1 to 500 characters without a comma, such as precipitation>20',
});

const DATE = { type: 'string', pattern: DATE_PATTERN } as const;

const variablesOf = (product: 'history' | 'short-term'): ValueSchema => ({
  ...{ type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', pattern: SLUG_PATTERN } },
  description: `The weather variables: ${slugs(product).join(', ')}.`,
});

const granularity = (description: string): ValueSchema => ({
  ...{ type: 'string', enum: GRANULARITIES, default: 'weekly', description },
});

const objectSchema = (properties: ObjectSchema['properties'], required: readonly string[]): ObjectSchema => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

/** The tools that ask the service for data. */
export const DATA_TOOLS: readonly DataTool[] = /* @__PURE__ */ Object.freeze([
  {
    name: 'forecast_statistics',
    title: 'Forecast statistics',
    description:
      'The ensemble forecast of a place: mean and quantiles over the members for each day, ISO week or month, shares of members that ' +
      'fulfil conditions, and how good earlier forecasts were where that is recorded.',
    inputSchema: objectSchema(
      {
        ...PLACE,
        variables: variablesOf('short-term'),
        granularity: granularity('The windows: days, ISO weeks or calendar months. Complete windows only.'),
        start_date: { ...DATE, description: 'The first day, YYYY-MM-DD. Default: the first of the forecast.' },
        end_date: { ...DATE, description: 'The last day, YYYY-MM-DD. Default: the last of the forecast.' },
        quantiles: {
          ...{ type: 'array', minItems: 1, maxItems: 99, items: { type: 'number', minimum: 0, maximum: 1 } },
          description: 'Default: 0.05, 0.25, 0.5, 0.75 and 0.95.',
        },
        conditions: {
          ...{ type: 'array', minItems: 1, maxItems: 99, items: { type: 'string', pattern: CONDITION_PATTERN } },
          description:
            'The share of members whose window fulfils each of them: "precipitation>20", "temp_min<0". Their variables are in variables.',
        },
        terciles: {
          type: 'boolean',
          description: 'Add the shares of members in the terciles of the years 1993 to 2022.',
        },
        skill: {
          type: 'boolean',
          description: 'Add how good earlier forecasts were. Default: true where the service has a record.',
        },
      },
      ['variables'],
    ),
    path: '/v2/forecast/statistics',
  },
  {
    name: 'history',
    title: 'History',
    description: 'What was observed or reanalysed at a place, from 1995 on, by day, ISO week or month.',
    inputSchema: objectSchema(
      {
        ...PLACE,
        variables: variablesOf('history'),
        granularity: granularity('The windows: days, ISO weeks or calendar months. Complete windows only.'),
        start_date: { ...DATE, description: 'The first day, YYYY-MM-DD. Default: a year before the last.' },
        end_date: { ...DATE, description: 'The last day, YYYY-MM-DD. Default: the last available.' },
      },
      ['variables'],
    ),
    path: '/v2/history',
  },
  {
    name: 'climatology',
    title: 'Climatology',
    description:
      'What is usual at a place: five quantiles of the years 1993 to 2022 for each day, ISO week or month of the year.',
    inputSchema: objectSchema(
      {
        ...PLACE,
        variables: variablesOf('history'),
        granularity: granularity('The periods of the year: days, ISO weeks or months.'),
      },
      ['variables'],
    ),
    path: '/v1/climatology',
  },
]);

/** The tool that finds places. */
export const FIND_PLACE = /* @__PURE__ */ Object.freeze({
  name: 'find_place',
  title: 'Find a place',
  description:
    'Towns of more than 15,000 inhabitants by the beginning of their names, the largest first, with their coordinates. Data are from GeoNames.',
  inputSchema: /* @__PURE__ */ objectSchema(
    {
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'Such as "Bern" or "Paris, France".' },
      max: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'How many are listed at most.' },
    },
    ['name'],
  ),
});

/** The parameters of requests, by the arguments of tools; coordinates and `skill` are not among them. */
const PARAMETERS = {
  variables: 'var',
  start_date: 'start_date',
  end_date: 'end_date',
  quantiles: 'statistics',
  conditions: 'threshold',
  terciles: 'terciles',
} as const;

/** The query of the request that a call makes. */
export function toolQuery(given: ToolArguments, point: { latitude: number; longitude: number }): URLSearchParams {
  const query = new URLSearchParams({ lat: `${point.latitude}`, lon: `${point.longitude}` });
  for (const [argument, parameter] of Object.entries(PARAMETERS)) {
    const value = given[argument as keyof typeof PARAMETERS];
    if (value !== undefined) query.set(parameter, `${value}`);
  }
  query.set('granularity', given.granularity ?? 'weekly');
  return query;
}

import { conditionText } from '../../condition/condition-text.js';
import type { FieldRole } from '../../respond/v2/answer-description.js';
import { DEFAULT_QUANTILES } from '../../statistics/options.js';
import type { DataQuery, Endpoint } from './endpoint.js';

/** What a field of queries is to those who keep what they know of requests. */
interface QueryField {
  /** To bodies that are prepared for all points: plans for them compute by the fields that are `constant`. */
  readonly role: FieldRole;
  /** Its value as a text, in the shape of a query; undefined for points, in which requests of one shape differ. */
  readonly text: ((query: DataQuery) => unknown) | undefined;
  /** Whether shapes have it only where one of these fields is requested, which few requests do. Default false. */
  readonly isSeldom?: boolean;
}

/** Numbers are slow to write, and most requests leave the quantiles out. */
const DEFAULT_LIST = /* @__PURE__ */ DEFAULT_QUANTILES.join();

/** All fields of queries, in the order of their texts: the compiler names one that is missing. */
export const QUERY_FIELDS: { readonly [Name in keyof DataQuery]-?: QueryField } = {
  point: { role: 'of-point', text: undefined },
  points: { role: 'of-point', text: undefined },
  horizon: { role: 'unprepared', text: ({ horizon }) => horizon },
  locationId: { role: 'of-point', text: ({ locationId }) => locationId },
  variables: { role: 'constant', text: ({ variables }) => variables?.map(({ slug }) => slug).join() ?? '' },
  startDay: { role: 'constant', text: ({ startDay }) => startDay },
  endDay: { role: 'constant', text: ({ endDay }) => endDay },
  downscaling: { role: 'constant', text: ({ downscaling = false }) => downscaling },
  quantiles: {
    role: 'constant',
    text: ({ quantiles = DEFAULT_QUANTILES }) => (quantiles === DEFAULT_QUANTILES ? DEFAULT_LIST : quantiles.join()),
  },
  granularity: { role: 'constant', text: ({ granularity = 'daily' }) => granularity },
  thresholds: {
    ...{ role: 'unprepared', isSeldom: true },
    text: ({ thresholds }) => thresholds?.map(({ condition }) => conditionText(condition)).join(),
  },
  terciles: { role: 'unprepared', isSeldom: true, text: ({ terciles }) => terciles },
  skill: { role: 'constant', isSeldom: true, text: ({ skill }) => skill },
  horizons: { role: 'constant', isSeldom: true, text: ({ horizons }) => horizons },
  members: { role: 'unprepared', isSeldom: true, text: ({ members }) => members },
};

/** A text that is the same for all requests that differ in their points only. */
export function queryShape({ schema }: Endpoint, query: DataQuery): string {
  let usual: string = schema;
  let seldom = '';
  let hasSeldom = false;
  for (const { text, isSeldom } of Object.values(QUERY_FIELDS)) {
    if (text === undefined) continue;
    const value = text(query);
    if (isSeldom) {
      seldom += `|${value}`;
      hasSeldom ||= value !== undefined && value !== false;
    } else usual += `|${value}`;
  }
  return hasSeldom ? usual + seldom : usual;
}

/** Whether the bodies of a query can be prepared for all points: a field that is not declared cannot be. */
export function isPreparable(query: DataQuery): boolean {
  const roles: Readonly<Record<string, QueryField>> = QUERY_FIELDS;
  return Object.entries(query).every(([name, value]) => {
    const role = Object.hasOwn(roles, name) ? roles[name].role : 'unprepared';
    return role !== 'unprepared' || isAbsent(value);
  });
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

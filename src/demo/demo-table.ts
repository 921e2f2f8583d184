import type { Table } from 'apache-arrow';
import { assertShape, assertShapes } from '../check/option-checks.js';
import { OptionError } from '../errors.js';
import { dayNumber, formatDate } from '../period/day.js';
import { wideTable } from '../table/build/wide-table.js';
import { findVariable } from '../variable/index.js';
import { checkMembers, checkSpan } from './check-options.js';
import { DEMO_VARIABLES, type DemoVariable } from './demo-variables.js';
import { generateEnsemble } from './generate-ensemble.js';

/** The extent of a demo table. Every option has a default. */
export interface DemoTableOptions {
  /** An integer from 0 to 2^32 - 1. Default 1. */
  seed?: number;
  /** Degrees north and east. Default Falling Creek Reservoir, Virginia: 37.30 N, 79.84 W. */
  locations?: readonly { latitude: number; longitude: number }[];
  /** The first day, in days since 1970-01-01. Default 2026-03-02, a Monday. */
  initDate?: number;
  /** Default 180. */
  days?: number;
  /** Number of members, 1 to 10,000. Default 31. */
  members?: number;
  /** Metadata. Default `seasonal`. */
  horizon?: string;
  /** Metadata: the version of the model. Default `demo-1`. */
  version?: string;
  /** Metadata: unique to a run. Default: made from the first day and the seed. */
  generation?: string;
}

/**
 * Makes one variable's ensemble as an Arrow table in the canonical wide form, one row per location and day, location by
 * location in the given order, days ascending.
 *
 * Columns: `latitude`, `longitude` (Float64), `date` (Date32), `member_00` and so on (Float32, zero-padded to the
 * largest index; nullable, without nulls). Schema metadata: `variable`, `units`, `init_time` (00 UTC of the first day),
 * `horizon`, `version`, `generation`. Values are those of `generateEnsemble`.
 *
 * Throws an OptionError where an option is out of range or the variable is not among `DEMO_VARIABLES`.
 *
 * @example
 * ```js
 * import { demoTable } from 'plumecast/demo';
 *
 * const { schema, numRows } = demoTable('temp_min', { days: 15, members: 3 });
 * console.log(schema.names, numRows);
 * ```
 *
 * ```text
 * [
 *   'latitude',
 *   'longitude',
 *   'date',
 *   'member_00',
 *   'member_01',
 *   'member_02'
 * ] 15
 * ```
 */
export function demoTable(variable: DemoVariable, options: DemoTableOptions = {}): Table {
  if (!DEMO_VARIABLES.includes(variable)) {
    throw new OptionError({
      subject: 'variable',
      problem: 'is not made by the demo',
      received: variable,
      allowed: DEMO_VARIABLES.join(', '),
    });
  }
  return makeTables([variable], options)[variable];
}

/** Makes the tables of all variables at the cost of one, in the order of `DEMO_VARIABLES`; see `demoTable`. */
export function demoTables(options: DemoTableOptions = {}): Record<DemoVariable, Table> {
  return makeTables(DEMO_VARIABLES, options) as Record<DemoVariable, Table>;
}

function makeTables(variables: readonly DemoVariable[], options: DemoTableOptions): Record<string, Table> {
  const texts = { horizon: 'any text?', version: 'any text?', generation: 'any text?' } as const;
  assertShape('options', options, { locations: 'list?', ...texts });
  assertShapes('locations', options.locations ?? [], {});
  const {
    seed = 1,
    locations = [{ latitude: 37.3, longitude: -79.84 }],
    initDate = dayNumber(2026, 3, 2),
    days = 180,
    members = 31,
    horizon = 'seasonal',
    version = 'demo-1',
  } = options;
  checkMembers(members);
  checkSpan(initDate, days);
  if (locations.length === 0) {
    throw new OptionError({ subject: 'locations', problem: 'is empty', allowed: 'at least one point' });
  }
  const date = formatDate(initDate);
  const { generation = `demo-${date}-${seed}` } = options;

  const rows = locations.length * days;
  const values = variables.map(() => Array.from({ length: members }, () => new Float32Array(rows)));
  locations.forEach(({ latitude, longitude }, location) => {
    const ensemble = generateEnsemble({ seed, latitude, longitude, initDate, days, members });
    variables.forEach((slug, index) => {
      ensemble[slug].forEach((series, member) => {
        values[index][member].set(series, location * days);
      });
    });
  });

  const place = {
    latitude: Float64Array.from({ length: rows }, (_, row) => locations[Math.floor(row / days)].latitude),
    longitude: Float64Array.from({ length: rows }, (_, row) => locations[Math.floor(row / days)].longitude),
    date: Int32Array.from({ length: rows }, (_, row) => initDate + (row % days)),
  };
  const tables = variables.map((variable, index) => {
    const metadata = { variable, units: findVariable(variable).units, init_time: `${date}T00:00:00Z` };
    const run = { horizon, version, generation };
    return wideTable({ ...place, members: values[index] }, new Map(Object.entries({ ...metadata, ...run })));
  });
  return Object.fromEntries(variables.map((variable, index) => [variable, tables[index]]));
}

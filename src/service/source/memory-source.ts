import { assertKind, assertShape, assertShapes } from '../../check/option-checks.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { PlaceIndex } from '../../ensemble/place-index.js';
import { assertLabels } from '../../ensemble/place-labels.js';
import { OptionError, unusable } from '../../errors.js';
import { checkHorizons } from './check-horizons.js';
import { type Axis, assertPrecision, type Dataset } from './dataset.js';
import type { Snapshot, WeatherSource } from './source.js';

/** A source with data that the caller gives it. */
export interface MemorySource extends WeatherSource {
  snapshot(): Snapshot;
  /** New requests see `snapshot`; requests under way keep the snapshot that they began with. */
  replace(snapshot: Snapshot): void;
}

const SNAPSHOT = {
  forecast: 'object?',
  history: 'object?',
  record: 'object?',
  elevation: 'function?',
  climatology: 'function?',
  issued: 'list?',
  attribution: 'any text?',
  revision: 'any text?',
} as const;

function assertSnapshot(snapshot: Snapshot): void {
  assertShape('snapshot', snapshot, SNAPSHOT);
  const { issued = [], record } = snapshot;
  assertShapes('snapshot.issued', issued, { horizon: 'text', initTime: 'text', open: 'function' });
  if (record === undefined) return;
  assertShape('snapshot.record', record, { revision: 'any text', updated: 'text', series: 'list' });
  assertShapes('snapshot.record.series', record.series, {
    ...{ horizon: 'text', granularity: 'text', slug: 'text', data: 'object', leads: 'list' },
  });
}

/** A source of datasets that the caller puts together, in memory or elsewhere. */
export function memorySource(initial: Snapshot): MemorySource {
  assertSnapshot(initial);
  let current = initial;
  return {
    snapshot: () => current,
    replace(snapshot) {
      assertSnapshot(snapshot);
      current = snapshot;
    },
  };
}

/** Values of a variable: cell by cell, in each cell member by member, in each member day by day; NaN where missing. */
export interface MemoryVariable extends Axis {
  readonly values: Float32Array;
}

/** The contents of a dataset in memory. */
export interface MemoryData extends Places {
  /** A text that differs for different values. */
  readonly revision: string;
  /** By slug. */
  readonly variables: Readonly<Record<string, MemoryVariable>>;
}

/**
 * A dataset that holds its values in memory. Arrays are kept, not copied: do not change them.
 *
 * Throws OptionError for an empty revision, for places without coordinates in range (longitudes from -180 to 360), for
 * invalid slugs, for days and members that are not integers in range, for infinite values, and for a wrong number of
 * values.
 */
export function memoryDataset(data: MemoryData): Dataset {
  assertShape('data', data, { latitude: 'doubles', longitude: 'doubles', variables: 'object' });
  const { revision, latitude, longitude, variables } = data;
  if (typeof revision !== 'string' || revision === '')
    reject('revision', 'is not a text, or empty', revision, 'a text that is not empty');
  checkPlaces({ latitude, longitude });
  assertLabels(data.labels);
  const held = new Map(Object.entries(variables));
  for (const [slug, variable] of held) {
    assertKind(`variables.${slug}`, variable, 'object');
    checkVariable(slug, variable, latitude.length);
    checkHorizons(slug, variable);
    assertPrecision(`variables.${slug}.precision`, variable.precision);
  }
  return {
    revision,
    places: new PlaceIndex({ latitude, longitude }),
    variables: new Map(Array.from(held, ([slug, { values, ...axis }]) => [slug, axis])),
    read(slug, cell, into) {
      const variable = held.get(slug);
      if (variable === undefined) throw unusable('slug', slug, [...held.keys()].join(', '));
      const { members, days, values } = variable;
      const length = members * days;
      if (!(Number.isSafeInteger(cell) && cell >= 0 && cell < latitude.length)) {
        throw unusable('cell', cell, `a whole number from 0, below ${latitude.length}`);
      }
      if (!(into instanceof Float32Array && into.length >= length)) {
        throw unusable('into', into, `a Float32Array of ${length} values`);
      }
      into.set(values.subarray(cell * length, (cell + 1) * length));
    },
  };
}

function checkPlaces({ latitude, longitude }: Places): void {
  if (latitude.length !== longitude.length) {
    reject('longitude', 'has another length than latitude', longitude.length, `${latitude.length} longitudes`);
  }
  assertWithin('latitude', latitude, -90, 90);
  assertWithin('longitude', longitude, -180, 360);
}

function assertWithin(subject: string, degrees: Float64Array, min: number, max: number): void {
  const outside = degrees.findIndex((value) => !(value >= min && value <= max));
  if (outside >= 0) {
    reject(`${subject} of cell ${outside}`, 'is out of range', degrees[outside], `${min} to ${max}`);
  }
}

function checkVariable(slug: string, { firstDay, days, members, values }: MemoryVariable, cells: number): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(slug)) {
    reject('variable', 'has an unusable slug', slug, 'lower-case letters, digits and underscores, a letter first');
  }
  if (!Number.isInteger(firstDay)) reject(slug, 'firstDay is not a day number', firstDay, 'an integer');
  if (!isCount(days)) reject(slug, 'days is not a number of days', days, 'an integer of 1 or more');
  if (!isCount(members)) reject(slug, 'members is not a number of members', members, 'an integer of 1 or more');
  const expected = cells * members * days;
  if (!(values instanceof Float32Array) || values.length !== expected) {
    const received = values instanceof Float32Array ? values.length : values;
    reject(slug, 'has the wrong number of values', received, `a Float32Array of ${expected}: cells x members x days`);
  }
  const infinite = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (infinite >= 0)
    reject(slug, `value ${infinite} is infinite`, values[infinite], 'finite values, NaN where missing');
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

function reject(subject: string, problem: string, received: unknown, allowed: string): never {
  throw new OptionError({ subject, problem, received, allowed });
}

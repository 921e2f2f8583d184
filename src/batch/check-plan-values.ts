import { assertKnownKeys, assertOneOf, missingList, trueOrFalse } from '../check/option-checks.js';
import { OptionError } from '../errors.js';
import { assertCoordinates } from '../files/cf/named-coordinates.js';
import { assertDecimal } from '../files/csv/decimal-mark.js';
import { COLUMN_ROLES } from '../table/column-roles.js';
import { assertCalendar } from '../table/read-options.js';
import type { BatchPlan } from './batch-plan.js';

/*
 * Checks of options that would otherwise fail only when the first file is read.
 */

/** Throws OptionError for options about values, columns and climatologies that have the wrong type. */
export function checkPlanValues(plan: BatchPlan, slugs: readonly string[]): void {
  const { columns, units, model, stamps, accumulation, array, init, coordinates, exceed, anomaly } = plan;
  const { missing, sort, decimal, calendar } = plan;
  if (columns !== undefined) {
    assertTexts('columns', columns, '{"date": "day", "value": "mm"}');
    assertKnownKeys(columns, COLUMN_ROLES, 'columns');
  }
  if (units !== undefined && typeof units !== 'string') {
    assertTexts('units', units, '"K", or by variable {"temp_mean": "K"}');
    assertKnownKeys(units, slugs, 'units');
  }
  if (coordinates !== undefined) assertCoordinates(coordinates);
  if (stamps !== undefined) assertOneOf('stamps', stamps, ['start', 'end']);
  if (calendar !== undefined) assertCalendar(calendar);
  for (const [name, value] of Object.entries({ model, accumulation, array, init })) {
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'is not a text', value, 'a text');
  }
  missingList(missing);
  if (sort !== undefined) trueOrFalse('sort', sort);
  assertDecimal(decimal);
  if (anomaly !== undefined) trueOrFalse('anomaly', anomaly);
  if (exceed !== undefined && !(Array.isArray(exceed) && exceed.every(isShare))) {
    throw wrong('exceed', 'is not a list of shares', exceed, 'such as [0.9]');
  }
}

/**
 * Throws OptionError for the first option that is null: JSON has null, but an option without a value has to be left
 * out.
 */
export function assertNoNulls(plan: BatchPlan): void {
  for (const [name, value] of Object.entries(plan)) {
    if (value === null)
      throw new OptionError({ subject: name, problem: 'is null', allowed: 'a value, or to leave it out' });
  }
}

function assertTexts(subject: string, value: object, allowed: string): void {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (isObject && Object.values(value).every((text) => typeof text === 'string' && text !== '')) return;
  throw wrong(subject, 'is not an object of texts', value, allowed);
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function wrong(subject: string, problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject, problem, received: asJson(received), allowed });
}

/** Messages show values as JSON; a plan that a caller built may hold values that JSON cannot. */
function asJson(value: unknown): unknown {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  } catch {
    return value;
  }
}

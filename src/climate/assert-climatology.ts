import { unusable } from '../errors.js';
import { checkThresholds, toWindowValue } from '../statistics/options.js';
import { assertVariable } from '../variable/find-variable.js';
import { type Climatology, climateKeys } from './climatology.js';
import { toClimateWindows } from './options.js';

/**
 * Throws OptionError for what is not a climatology, or whose arrays do not have the length that its places and keys
 * require.
 */
export function assertClimatology(climatology: unknown): asserts climatology is Climatology {
  const given: Partial<Climatology> = climatology ?? {};
  const { granularity, keys, latitude, longitude, samples, mean, variable, units, reference, metadata } = given;
  const fail = (name: string, allowed: string) =>
    unusable(`climatology.${name}`, given[name as keyof Climatology], allowed);
  if (typeof climatology !== 'object' || climatology === null || granularity === undefined) {
    throw unusable('climatology', climatology, 'what climatology or readClimatology returns');
  }
  toClimateWindows(granularity);
  if (!(metadata instanceof Map)) throw fail('metadata', 'a Map of texts');
  const count = climateKeys(granularity, metadata.get('calendar')).length;
  if (!Array.isArray(keys) || keys.length !== count || keys.some((key) => typeof key !== 'string')) {
    throw fail('keys', `${count} texts, a period of the year each`);
  }
  if (!(latitude instanceof Float64Array)) throw fail('latitude', 'a Float64Array');
  const places = latitude.length;
  if (!(longitude instanceof Float64Array && longitude.length === places)) throw fail('longitude', `${places} numbers`);
  const entries = places * count;
  if (!(samples instanceof Int32Array && samples.length === entries)) throw fail('samples', `${entries} integers`);
  const areValues = (values: unknown) =>
    (values instanceof Float32Array || values instanceof Float64Array) && values.length === entries;
  if (!areValues(mean)) throw fail('mean', `${entries} numbers`);
  if (!Number.isInteger(given.categories) || (given.categories as number) < 0)
    throw fail('categories', 'a number of them');
  const isList = (name: 'quantiles' | 'thresholds') => {
    if (!Array.isArray(given[name])) throw fail(name, 'a list');
    return (given[name] as readonly unknown[]).length;
  };
  const limits = Math.max(0, (given.categories as number) - 1);
  const sizes = { quantileValues: isList('quantiles'), limits, probabilities: isList('thresholds') };
  if (!given.quantiles?.every((p) => typeof p === 'number')) throw fail('quantiles', 'numbers from 0 to 1');
  checkThresholds(given.thresholds as Climatology['thresholds']);
  for (const [name, size] of Object.entries(sizes)) {
    const arrays: unknown = given[name as keyof typeof sizes];
    if (!Array.isArray(arrays) || arrays.length !== size || !arrays.every(areValues)) {
      throw fail(name, `${size} arrays of ${entries} numbers`);
    }
  }
  if (variable !== undefined) assertVariable(variable, 'climatology.variable');
  if (units !== undefined && typeof units !== 'string') throw fail('units', 'a text, or undefined');
  const years = [reference?.firstYear, reference?.lastYear];
  if (reference !== undefined && !years.every(Number.isInteger)) throw fail('reference', '{ firstYear, lastYear }');
  if (given.window !== undefined) toWindowValue(given.window);
}

import type { Attributes } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import { kindOfName } from './coordinate-kind.js';

/** What the value of a time step is of the values within it; `other` where none of these. */
export type TimeMethod = 'point' | 'mean' | 'sum' | 'minimum' | 'maximum' | 'other';

const METHODS: readonly string[] = ['point', 'mean', 'sum', 'minimum', 'maximum'];

const OF_GRIB: Readonly<Record<string, TimeMethod>> = {
  instant: 'point',
  avg: 'mean',
  accum: 'sum',
  min: 'minimum',
  max: 'maximum',
};

/**
 * What the attribute `cell_methods` says of time, the first where it says several things (`time: maximum within days time: mean over
 * days` are daily maxima), else `GRIB_stepType`; undefined where neither tells.
 */
export function timeMethod(attributes: Attributes): TimeMethod | undefined {
  const text = textAttribute(attributes, 'cell_methods') ?? '';
  for (const [, names, method] of text.matchAll(/((?:\w+\s*:\s*)+)(\w+)/g)) {
    const isOfTime = names.split(':').some((name) => ['time', 'lead'].includes(kindOfName(name.trim()) ?? ''));
    if (isOfTime) return METHODS.includes(method) ? (method as TimeMethod) : 'other';
  }
  const step = textAttribute(attributes, 'GRIB_stepType') ?? '';
  return Object.hasOwn(OF_GRIB, step) ? OF_GRIB[step] : undefined;
}

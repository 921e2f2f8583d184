import type { Attributes } from '../../array/array-file.js';
import { textAttribute } from '../attribute-values.js';
import { kindOfName } from '../coordinate-kind.js';

/** How the value of a time step represents the time within it; `other` for methods that are not listed. */
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
 * The cell method of time: the first one in the attribute `cell_methods` (`time: maximum within days time: mean over
 * days` are daily maxima), else that of `GRIB_stepType`; undefined where neither states one.
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

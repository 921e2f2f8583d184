import { isPlumecastError } from '../../../errors.js';
import {
  DEFAULT_QUANTILES,
  MAX_QUANTILES,
  parseQuantiles,
  QUANTILE_FORM,
} from '../../../statistics/quantile-options.js';
import type { Parameter } from './parameter.js';

const ITEM = QUANTILE_FORM.source.slice(1, -1);

/** The requested quantiles. */
export function quantilesParameter(): Parameter<'statistics'> {
  return {
    name: 'statistics',
    description:
      'Quantiles over the members, separated by commas: at most 99 plain decimals from 0 to 1, each of at most 6 places. ' +
      'The order is kept, and one given twice counts once. The field of 0.05 is `q05`, of 0.5 `q50`, of 0.025 `q025`.',
    schema: {
      type: 'string',
      pattern: `^${ITEM}(?:,${ITEM}){0,${MAX_QUANTILES - 1}}$`,
      default: DEFAULT_QUANTILES.join(','),
    },
    example: '0.1,0.5,0.9',
    required: false,
    repeatable: false,
    maxLength: Number.POSITIVE_INFINITY,
    allowed: 'at most 99 plain decimals from 0 to 1, each of at most 6 places, separated by commas',
    read(text, reject) {
      if (/\s/.test(text)) return reject('has a blank');
      try {
        return parseQuantiles(text);
      } catch (error) {
        if (!isPlumecastError(error, 'option')) throw error;
        return reject(described(error.problem), { received: String(error.received) });
      }
    },
  };
}

/** Turns a problem of `parseQuantiles` into a predicate, like all details. */
function described(problem: string): string {
  if (problem === 'an empty item') return 'has an empty item';
  return problem === 'too many' ? 'has too many quantiles' : `has an item that is ${problem}`;
}

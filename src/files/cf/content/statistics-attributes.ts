import type { Statistic } from '../../../statistics/statistic.js';
import { kindOf } from '../../../statistics/statistic-kinds.js';
import type { WindowRule } from '../../../variable/variable.js';
import type { AttributeValue } from '../../array/array-file.js';
import type { ResultCube } from './result-cube.js';

/** The CF names of window rules. */
export const METHODS: Record<WindowRule, string> = {
  sum: 'sum',
  mean: 'mean',
  min: 'minimum',
  max: 'maximum',
  first: 'point',
  last: 'point',
  count: 'sum',
  range: 'range',
};

/** The attributes of an array of statistics, by the statistic of its column in tables, or else the column's name. */
export function statisticAttributes(
  statistic: Statistic | undefined,
  column: string,
  { variable, units, window, windows: { granularity } }: Pick<ResultCube, 'variable' | 'units' | 'window' | 'windows'>,
): [string, AttributeValue][] {
  const name = variable?.slug ?? 'values';
  const comment = window === 'count' ? ' (comment: number of days)' : '';
  // Days of which nothing says how they were made have no method.
  const isUnknown = window === undefined || (variable === undefined && granularity === 'daily');
  const inTime = isUnknown ? undefined : `time: ${METHODS[window]}${comment}`;
  if (statistic === undefined) return given({ long_name: `${name}, ${column}` });
  const { measure, longName } = kindOf(statistic);
  const plain = longName(statistic, 'members', units ?? '', column);
  // A condition on a week or a month is one on its sum or mean.
  const isOfWindow = statistic.kind === 'exceedance' && granularity !== 'daily' && window !== undefined;
  const text = isOfWindow ? plain.replace('members', `members whose ${granularity} ${METHODS[window]} is`) : plain;
  const long_name = `${name}, ${text}`;
  switch (measure) {
    case 'number':
      return given({ long_name: text, units: '1' });
    case 'value':
      return given({ standard_name: variable?.standardName, long_name, units, cell_methods: inTime });
    case 'deviation':
      return given({ long_name, units, cell_methods: inTime });
    case 'difference':
      return given({ long_name, units });
    case 'share':
      return given({ long_name, units: '1', cell_methods: inTime });
    case 'limit':
      return given({ long_name });
  }
}

/** The attributes that are not undefined. */
export function given(attributes: Record<string, string | undefined>): [string, AttributeValue][] {
  return Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

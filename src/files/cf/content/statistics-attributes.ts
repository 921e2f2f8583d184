import { quantileName, type Statistic } from '../../../statistics/result-column.js';
import type { WindowRule } from '../../../variable/variable.js';
import type { AttributeValue } from '../../array/array-file.js';
import type { ResultCube } from './result-cube.js';

/** The CF names of window rules. */
export const METHODS: Record<WindowRule, string> = {
  sum: 'sum',
  mean: 'mean',
  min: 'minimum',
  max: 'maximum',
  count: 'sum',
};

/** The attributes of an array of statistics, by the statistic of its column in tables, or else the column's name. */
export function statisticAttributes(
  statistic: Statistic | undefined,
  column: string,
  { variable, units, window }: Pick<ResultCube, 'variable' | 'units' | 'window'>,
): [string, AttributeValue][] {
  const name = variable?.slug ?? 'values';
  const comment = window === 'count' ? ' (comment: number of days)' : '';
  const inTime = window === undefined ? undefined : `time: ${METHODS[window]}${comment}`;
  const standard = variable?.standardName;
  switch (statistic?.kind) {
    case 'mean':
      return given({
        standard_name: standard,
        long_name: `${name}, mean of members`,
        units,
        cell_methods: inTime,
      });
    case 'quantile':
      return given({
        standard_name: standard,
        long_name: `${name}, quantiles of members`,
        units,
        cell_methods: inTime,
      });
    case 'spread':
      return given({
        long_name: `${name}, standard deviation over members`,
        units,
        cell_methods: inTime,
      });
    case 'anomaly':
      return given({ long_name: `${name}, mean of members less that of the climatology`, units });
    case 'count':
      return given({ long_name: 'number of members with a value', units: '1' });
    case 'exceedance':
    case 'category':
    case 'climate-exceedance':
      return given({
        long_name: `${name}, share of members ${describeShare(statistic, units)}`,
        units: '1',
        cell_methods: inTime,
      });
    default:
      return given({ long_name: `${name}, ${column}` });
  }
}

/** A statistic that counts some of the members or samples. */
type Share = Extract<Statistic, { kind: 'exceedance' | 'category' | 'climate-exceedance' }>;

/** Describes which members or samples a share counts. */
export function describeShare(statistic: Share, units = ''): string {
  switch (statistic.kind) {
    case 'exceedance':
      return `${statistic.threshold.operator} ${statistic.threshold.limit} ${units}`.trim();
    case 'climate-exceedance':
      return `above ${quantileName(statistic.probability)} of the climatology`;
    default:
      return 'categories' in statistic
        ? `in category ${statistic.category} of ${statistic.categories} of the climatology`
        : `${statistic.category} by the categories of the climatology`;
  }
}

/** The attributes that are not undefined. */
export function given(attributes: Record<string, string | undefined>): [string, AttributeValue][] {
  return Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

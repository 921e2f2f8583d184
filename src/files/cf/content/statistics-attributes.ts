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
const OPERATORS: Record<string, string> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

/** The attributes of an array of statistics, by the name of its column in tables; quantiles are `q`. */
export function statisticAttributes(
  column: string,
  { variable, units, window }: Pick<ResultCube, 'variable' | 'units' | 'window'>,
): [string, AttributeValue][] {
  const name = variable?.slug ?? 'values';
  const comment = window === 'count' ? ' (comment: number of days)' : '';
  const inTime = window === undefined ? undefined : `time: ${METHODS[window]}${comment}`;
  const standard = variable?.standardName;
  switch (column) {
    case 'mean':
      return given({
        standard_name: standard,
        long_name: `${name}, mean of members`,
        units,
        cell_methods: inTime,
      });
    case 'q':
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
    case 'n_members':
      return given({ long_name: 'number of members with a value', units: '1' });
    default:
      return given({
        long_name: `${name}, share of members ${shareOf(column, units)}`,
        units: '1',
        cell_methods: inTime,
      });
  }
}

/** Describes which members a column such as `p_gt_20`, `p_gt_clim_q90`, `p_below` or `p_2_of_5` counts. */
export function shareOf(column: string, units = ''): string {
  const threshold = /^p_(gt|ge|lt|le)_(-?[\d.e+-]+)$/.exec(column);
  if (threshold !== null) return `${OPERATORS[threshold[1]]} ${threshold[2]} ${units}`.trim();
  const quantile = /^p_gt_clim_(q\d+)$/.exec(column);
  if (quantile !== null) return `above ${quantile[1]} of the climatology`;
  const category = /^p_(\d+)_of_(\d+)$/.exec(column);
  if (category !== null) return `in category ${category[1]} of ${category[2]} of the climatology`;
  return `${column.replace(/^p_/, '')} by the categories of the climatology`;
}

/** The attributes that are not undefined. */
export function given(attributes: Record<string, string | undefined>): [string, AttributeValue][] {
  return Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

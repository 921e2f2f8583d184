import type { ArrayFile } from '../../array/array-file.js';

/** Whether a file holds statistics by windows, as `statisticsNetcdf` has them written. */
export function isStatisticsFile({ arrays }: ArrayFile): boolean {
  return ['n_days', 'complete', 'time_bnds'].every((name) => arrays.get(name)?.dimensions[0] === 'time');
}

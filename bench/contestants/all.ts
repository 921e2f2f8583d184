import type { Core } from '../../src/core/load.js';
import type { Contestant } from '../contestant.js';
import { type Absent, orAbsent } from '../rivals/absent.js';
import { arqueroContestants } from './arquero.js';
import { d3Quantile, d3Sorted } from './d3-array.js';
import { insertionSort } from './insertion-sort.js';
import { keyNetwork, mathNetwork, nonNegativeKeyNetwork, swapNetwork } from './networks.js';
import { plumecastContestants } from './plumecast.js';
import { quickselect } from './quickselect.js';
import { simpleStatisticsContestants } from './simple-statistics.js';
import { typedArraySort } from './typed-array-sort.js';

/** All formulations of plain JavaScript. */
export const plainContestants: readonly Contestant[] = [
  insertionSort,
  typedArraySort,
  quickselect,
  mathNetwork,
  swapNetwork,
  nonNegativeKeyNetwork,
  keyNetwork,
];

/** Whatever computes in this process by plain function calls, and what of it could not be loaded. */
export async function allContestants(core: Core): Promise<{ contestants: Contestant[]; absent: Absent[] }> {
  const loaded = await Promise.all([
    orAbsent('simple-statistics', simpleStatisticsContestants()),
    orAbsent('Arquero', arqueroContestants()),
  ]);
  const contestants = [
    ...plumecastContestants(core),
    ...plainContestants,
    d3Sorted,
    d3Quantile,
    ...loaded.flatMap((each) => (Array.isArray(each) ? each : [])),
  ];
  return { contestants, absent: loaded.flatMap((each) => (Array.isArray(each) ? [] : each)) };
}

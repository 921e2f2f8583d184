import type { Core } from '../../src/core/load.js';
import type { Contestant } from '../contestant.js';
import { d3Quantile, d3Sorted } from './d3-array.js';
import { insertionSort } from './insertion-sort.js';
import { keyNetwork, mathNetwork, nonNegativeKeyNetwork, swapNetwork } from './networks.js';
import { plumecastContestants } from './plumecast.js';
import { quickselect } from './quickselect.js';
import { typedArraySort } from './typed-array-sort.js';

/** Whatever computes in this process, by plain function calls. */
export function allContestants(core: Core): Contestant[] {
  return [
    ...plumecastContestants(core),
    insertionSort,
    typedArraySort,
    quickselect,
    mathNetwork,
    swapNetwork,
    nonNegativeKeyNetwork,
    keyNetwork,
    d3Sorted,
    d3Quantile,
  ];
}

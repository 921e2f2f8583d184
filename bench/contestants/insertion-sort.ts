import { type Contestant, newResults } from '../contestant.js';
import { quantilePlaces } from '../quantile-places.js';
import { addUpWindows, divisorsOf } from '../window-totals.js';
import { DAYS, MEMBERS } from '../workloads.js';

/** Insertion sort in a Float64Array: few instructions, and for so few members hard to beat. */
export const insertionSort: Contestant = {
  name: 'JavaScript',
  formulation: 'insertion sort',
  kind: 'plain JavaScript',
  order: 'cell-first',
  prepare({ windows, rule }, parts) {
    const width = MEMBERS;
    const cells = parts[0][0].length / DAYS;
    const totals = new Float64Array(width * windows.count);
    const divisors = divisorsOf(rule, windows);
    const places = quantilePlaces(MEMBERS);

    return (part) => {
      const members = parts[part];
      const results = newResults(cells * windows.count);
      const [mean] = results;
      for (let cell = 0, out = 0; cell < cells; cell++) {
        addUpWindows(members, cell * DAYS, windows, totals);
        for (let w = 0, begin = 0; w < windows.count; w++, out++, begin += width) {
          const end = begin + width;
          let sum = totals[begin];
          for (let i = begin + 1; i < end; i++) {
            const x = totals[i];
            sum += x;
            let j = i - 1;
            for (; j >= begin && totals[j] > x; j--) totals[j + 1] = totals[j];
            totals[j + 1] = x;
          }
          const divisor = divisors[w];
          mean[out] = sum / (width * divisor);
          for (let k = 0; k < places.length; k++) {
            const { low, high, weight } = places[k];
            const below = totals[begin + low];
            results[k + 1][out] = (below + weight * (totals[begin + high] - below)) / divisor;
          }
        }
      }
      return results;
    };
  },
};

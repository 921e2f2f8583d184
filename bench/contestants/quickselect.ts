import { type Contestant, newResults } from '../contestant.js';
import { neededRanks, quantilePlaces } from '../quantile-places.js';
import { addUpWindows, divisorsOf } from '../window-totals.js';
import { DAYS, MEMBERS } from '../workloads.js';

/** Quickselect for one order statistic after the other, each in what the one before has left above it. */
export const quickselect: Contestant = {
  name: 'JavaScript',
  formulation: 'quickselect',
  kind: 'plain JavaScript',
  order: 'cell-first',
  prepare({ windows, rule }, parts) {
    const width = MEMBERS;
    const cells = parts[0][0].length / DAYS;
    const totals = new Float64Array(width * windows.count);
    const divisors = divisorsOf(rule, windows);
    const places = quantilePlaces(MEMBERS);
    const ranks = neededRanks(places);

    return (part) => {
      const members = parts[part];
      const results = newResults(cells * windows.count);
      const [mean] = results;
      for (let cell = 0, out = 0; cell < cells; cell++) {
        addUpWindows(members, cell * DAYS, windows, totals);
        for (let w = 0, begin = 0; w < windows.count; w++, out++, begin += width) {
          let sum = 0;
          for (let i = begin; i < begin + width; i++) sum += totals[i];
          let from = begin;
          for (let k = 0; k < ranks.length; k++) {
            select(totals, begin + ranks[k], from, begin + width - 1);
            from = begin + ranks[k] + 1;
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

/** Hoare's FIND (Communications of the ACM 4, 1961): `values[place]` becomes what it would be if `left` to `right` were sorted. */
function select(values: Float64Array, place: number, left: number, right: number): void {
  while (left < right) {
    const pivot = values[place];
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (pivot < values[j]) j--;
      if (i > j) break;
      const x = values[i];
      values[i++] = values[j];
      values[j--] = x;
    }
    if (j < place) left = i;
    if (place < i) right = j;
  }
}

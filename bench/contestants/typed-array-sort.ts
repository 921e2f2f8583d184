import { type Contestant, newResults } from '../contestant.js';
import { quantilePlaces } from '../quantile-places.js';
import { addUpWindows, divisorsOf } from '../window-totals.js';
import { DAYS, MEMBERS } from '../workloads.js';

/** `Float64Array.prototype.sort`, on views that are made once. */
export const typedArraySort: Contestant = {
  name: 'JavaScript',
  formulation: 'Float64Array sort',
  kind: 'plain JavaScript',
  order: 'cell-first',
  prepare({ windows, rule }, parts) {
    const width = MEMBERS;
    const cells = parts[0][0].length / DAYS;
    const totals = new Float64Array(width * windows.count);
    const columns = Array.from({ length: windows.count }, (_, w) => totals.subarray(w * width, (w + 1) * width));
    const divisors = divisorsOf(rule, windows);
    const places = quantilePlaces(MEMBERS);

    return (part) => {
      const members = parts[part];
      const results = newResults(cells * windows.count);
      const [mean] = results;
      for (let cell = 0, out = 0; cell < cells; cell++) {
        addUpWindows(members, cell * DAYS, windows, totals);
        for (let w = 0; w < windows.count; w++, out++) {
          const column = columns[w];
          let sum = 0;
          for (let i = 0; i < width; i++) sum += column[i];
          column.sort();
          const divisor = divisors[w];
          mean[out] = sum / (width * divisor);
          for (let k = 0; k < places.length; k++) {
            const { low, high, weight } = places[k];
            const below = column[low];
            results[k + 1][out] = (below + weight * (column[high] - below)) / divisor;
          }
        }
      }
      return results;
    };
  },
};

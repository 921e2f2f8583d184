import { civilDate, dayNumber, isLeapYear } from '../../src/period/day.js';

/** The mean and the quantiles of each date of the year, in plain TypeScript: pools are gathered and sorted one by one. */
export function plainClimatology(
  series: Float32Array,
  firstDay: number,
  years: readonly [number, number],
  probabilities: readonly number[],
): Float32Array[] {
  const results = Array.from({ length: probabilities.length + 1 }, () => new Float32Array(366));
  const from = dayNumber(years[0], 1, 1);
  const to = dayNumber(years[1], 12, 31);
  const leapYear = dayNumber(2000, 1, 1);
  const pool = new Float64Array(15 * (years[1] - years[0] + 1));
  for (let key = 0; key < 366; key++) {
    const { month, day } = civilDate(leapYear + key);
    let count = 0;
    let sum = 0;
    for (let year = years[0]; year <= years[1]; year++) {
      const centre = dayNumber(year, month, month === 2 && day === 29 && !isLeapYear(year) ? 28 : day);
      for (let d = Math.max(from, centre - 7); d <= Math.min(to, centre + 7); d++) {
        const value = series[d - firstDay];
        if (Number.isNaN(value)) continue;
        pool[count++] = value;
        sum += value;
      }
    }
    const sorted = pool.subarray(0, count).sort();
    results[0][key] = sum / count;
    probabilities.forEach((p, k) => {
      const rank = (count - 1) * p;
      const low = Math.floor(rank);
      results[k + 1][key] = sorted[low] + (rank - low) * (sorted[Math.min(low + 1, count - 1)] - sorted[low]);
    });
  }
  return results;
}

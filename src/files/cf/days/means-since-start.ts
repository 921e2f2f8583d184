import { DAY_SECONDS } from '../../../period/day.js';

/** The least number of days that show how differences shrink, and how much longer the last means must be: four times. */
const MIN_DAYS = 7;
const MIN_GROWTH = Math.log(4);
/** Differences of means since a start fall as 1 / n, a slope of -1; of means of each step they stay, a slope of 0. */
const MAX_SLOPE = -1 / 2;
/** The slope must lie so many standard errors below. */
const MIN_ERRORS = 3;

/**
 * Whether means that may be above and below 0, such as temperatures, are since the start of their run: a mean of n steps
 * differs from the mean before it by 1 / n of what its last step differs from this, so that differences of neighbouring
 * means shrink as means grow longer. Differences of single steps do not shrink: they follow the day and the weather. `seconds` are the times of
 * the sample, `start` is when the run began, in seconds, too. Only times that are `step` apart count.
 *
 * Of 31 members of a forecast (GEFS, 35 days of temperature, humidity, wind and pressure in steps of 3 and 6 h) no mean of
 * steps looks like it in 10 days and more; since the start 19 of 20 do of temperature and humidity, and of single members
 * two of three in 8 days.
 */
export function areSinceStart(
  series: readonly Float64Array[],
  seconds: Float64Array,
  { start, step }: { readonly start: number; readonly step: number },
): boolean {
  // Of the logarithms of lengths and differences of each day: their number, sums, and sums of squares and products.
  let [days, x, y, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (let from = 1, to = 1; from < seconds.length; from = Math.max(from + 1, to)) {
    let [squares, pairs, steps, length] = [0, 0, 0, 0];
    for (to = from; to < seconds.length && seconds[to] - seconds[from - 1] <= DAY_SECONDS; to++) {
      if (seconds[to] - seconds[to - 1] !== step) continue;
      length += Math.log(Math.max(step, seconds[to] - start));
      steps++;
      for (const values of series) {
        const change = values[to] - values[to - 1];
        if (Number.isNaN(change)) continue;
        squares += change * change;
        pairs++;
      }
    }
    // A part of a day shows a part of its course.
    if (steps * step < DAY_SECONDS || pairs === 0) continue;
    // Where means stay the same, nothing shrinks.
    if (squares === 0) return false;
    const difference = Math.log(squares / pairs) / 2;
    length /= steps;
    [days, x, y] = [days + 1, x + length, y + difference];
    [xx, xy, yy] = [xx + length ** 2, xy + length * difference, yy + difference ** 2];
    [shortest, longest] = [Math.min(shortest, length), Math.max(longest, length)];
  }
  if (days < MIN_DAYS || longest - shortest < MIN_GROWTH) return false;
  const spread = days * xx - x * x;
  const slope = (days * xy - x * y) / spread;
  const rest = Math.max(0, days * yy - y * y - slope * slope * spread);
  return slope + MIN_ERRORS * Math.sqrt(rest / spread / (days - 2)) < MAX_SLOPE;
}

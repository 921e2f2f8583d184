import { DAY_SECONDS } from '../../../period/day.js';

/** The least number of days that show how differences shrink, and how many times longer the last means must be. */
const MIN_DAYS = 7;
const MIN_GROWTH = 4;
/** Differences of means since a start fall as 1 / n, a slope of -1; of means of each step they stay, a slope of 0. */
const MAX_SLOPE = -1 / 2;
/** The slope must lie so many standard errors below. */
const MIN_ERRORS = 3;

/** A day of a sample: the logarithms of how long its means are, and of how much they differ from those before. */
interface DayOfMeans {
  readonly length: number;
  readonly difference: number;
}

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
  const days = daysOfMeans(series, seconds, start, step);
  if (days.length < MIN_DAYS) return false;
  if (days[days.length - 1].length - days[0].length < Math.log(MIN_GROWTH)) return false;
  const mean = (of: (day: DayOfMeans) => number) => days.reduce((sum, day) => sum + of(day), 0) / days.length;
  const [length, difference] = [mean((day) => day.length), mean((day) => day.difference)];
  const spread = mean((day) => (day.length - length) ** 2);
  const slope = mean((day) => (day.length - length) * (day.difference - difference)) / spread;
  const rest = mean((day) => (day.difference - difference - slope * (day.length - length)) ** 2);
  const error = Math.sqrt(rest / spread / (days.length - 2));
  return slope + MIN_ERRORS * error < MAX_SLOPE;
}

/** The days of a sample; none where means stay the same over a day, as nothing shrinks further. */
function daysOfMeans(
  series: readonly Float64Array[],
  seconds: Float64Array,
  start: number,
  step: number,
): readonly DayOfMeans[] {
  const days: DayOfMeans[] = [];
  for (let from = 1, to = 1; from < seconds.length; from = to) {
    let [squares, pairs, lengths, steps] = [0, 0, 0, 0];
    for (; to < seconds.length && seconds[to] - seconds[from - 1] <= DAY_SECONDS; to++) {
      if (seconds[to] - seconds[to - 1] !== step) continue;
      lengths += Math.log(Math.max(step, seconds[to] - start));
      steps++;
      for (const values of series) {
        const change = values[to] - values[to - 1];
        if (Number.isNaN(change)) continue;
        squares += change * change;
        pairs++;
      }
    }
    if (to === from) to++;
    // A part of a day shows a part of its course.
    if (steps * step < DAY_SECONDS || pairs === 0) continue;
    if (squares === 0) return [];
    days.push({ length: lengths / steps, difference: Math.log(squares / pairs) / 2 });
  }
  return days;
}

import { DataError, inWords } from '../../../errors.js';
import type { ModelCalendar } from '../../../period/calendar.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { utcText } from './time-units.js';

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;

/**
 * Throws DataError for bounds, the start and the end of each step in turn, that go back or end before they begin, and
 * for a time outside its own bounds. Times and bounds are in seconds.
 */
export function assertBounds(
  source: string,
  column: string,
  coordinate: string,
  times: Float64Array,
  bounds: Float64Array,
  calendar: ModelCalendar | undefined,
): void {
  for (let step = 1; step < times.length; step++) {
    if (bounds[2 * step] >= bounds[2 * step - 2]) continue;
    const text = (of: number) => utcText(bounds[2 * of], calendar);
    throw new DataError({
      ...{ source, column, problem: `step ${step + 1} has bounds before step ${step}` },
      ...{ received: inWords(`${text(step - 1)}, then ${text(step)}`), allowed: 'steps in order' },
    });
  }
  for (const [step, time] of times.entries()) {
    const [from, to] = [bounds[2 * step], bounds[2 * step + 1]];
    const text = () => `${utcText(from, calendar)} to ${utcText(to, calendar)}`;
    if (to < from) {
      throw new DataError({
        ...{ source, column, problem: `bounds ${step + 1} end before they begin`, received: text() },
        allowed: 'the start of each step, then its end',
      });
    }
    if (time >= from - TOLERANCE && time <= to + TOLERANCE) continue;
    throw new DataError({
      ...{ source, column: coordinate, problem: `time ${step + 1} lies outside its bounds, ${text()} in ${column}` },
      ...{ received: utcText(time, calendar), allowed: 'times within their bounds' },
    });
  }
}

const HOUR = 3600;
/** The longest time between two instants of a day, and the shortest. */
const MAX_BETWEEN = 12 * HOUR;
const MIN_BETWEEN = 60;

/**
 * Bounds from the first to the last instant of each value, as CDO writes them for means and sums over months or several
 * steps (00:00 to 05:00, then 06:00 to 11:00), each made longer by the time between two instants, in seconds. Undefined
 * for bounds that meet, that hold fewer than three instants each, or whose gaps differ.
 */
export function boundsOfInstants(bounds: Float64Array): { bounds: Float64Array; between: number } | undefined {
  const steps = bounds.length / 2;
  const gaps = Array.from({ length: steps - 1 }, (_, step) => bounds[2 * step + 2] - bounds[2 * step + 1]);
  const between = steps === 1 ? untilMidnight(bounds) : gaps.reduce((a, b) => Math.min(a, b));
  if (!(between >= MIN_BETWEEN && between <= MAX_BETWEEN)) return undefined;
  for (let step = 0; step < steps; step++) {
    const instants = (bounds[2 * step + 1] - bounds[2 * step]) / between + 1;
    const isLast = step === steps - 1;
    if (!Number.isInteger(instants) || !(instants >= 3 || isLast)) return undefined;
    // Where a period is missing, the gap is longer by a multiple of the time between instants.
    if (!isLast && gaps[step] % between !== 0) return undefined;
  }
  return { bounds: bounds.map((time, i) => (i % 2 === 1 ? time + between : time)), between };
}

/** The time from the last instant of a single period of days to the midnight after it. */
function untilMidnight([from, to]: Float64Array): number {
  const between = Math.ceil(to / DAY_SECONDS) * DAY_SECONDS - to;
  return from % DAY_SECONDS === 0 && to - from > DAY_SECONDS && DAY_SECONDS % between === 0 ? between : 0;
}

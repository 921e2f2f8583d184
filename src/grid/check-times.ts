import { DataError } from '../errors.js';
import { FIRST_DAY, LAST_DAY } from '../period/day.js';

const DAY = 86_400;
const FIRST_SECOND = FIRST_DAY * DAY;
/** The last day ends here. */
const END_SECOND = (LAST_DAY + 1) * DAY;

/** What messages say of times. */
export interface NamedTimes {
  readonly source: string;
  /** The coordinate that they are from. */
  readonly column: string;
  /** What each is: `time`, `bound`. */
  readonly noun: string;
  /** A value as the file has it, with its units. */
  readonly stored: (index: number) => string;
}

/**
 * Checks times in seconds since 1970-01-01 UTC before anything is computed by them. Throws DataError that names the first that is missing, or
 * is not of the years 1 to 9999.
 */
export function assertTimes(seconds: Float64Array, { source, column, noun, stored }: NamedTimes): void {
  const wrong = seconds.findIndex((time) => !(time >= FIRST_SECOND && time <= END_SECOND));
  if (wrong < 0) return;
  if (Number.isNaN(seconds[wrong])) {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is missing`, allowed: `a ${noun} for every step` },
    });
  }
  throw new DataError({
    ...{ source, column, problem: `${noun} ${wrong + 1} is not within the years 1 to 9999` },
    ...{ received: stored(wrong), allowed: 'times from 0001-01-01T00:00:00Z to the end of 9999-12-31' },
  });
}

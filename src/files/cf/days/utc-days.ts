import type { DailySteps } from '../../../ensemble/daily-steps.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { localDays } from '../../../table/columns/local-days.js';
import type { TimeAxis } from '../time/time-axis.js';
import { hasLength } from './array-amounts.js';

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;

/**
 * Throws DataError for daily values in a zone other than UTC, whose days cannot be shifted: the bounds of a step of a
 * day, or else its time, that units with an offset place elsewhere than at midnight of UTC. Values of steps shorter
 * than a day are shifted.
 */
export function assertUtcDays(
  source: string,
  { coordinate: column, seconds, bounds, zone }: TimeAxis,
  { steps, whole, firstStep }: DailySteps,
): void {
  if (zone === undefined) return;
  const hasEdges = bounds !== undefined && hasLength(bounds);
  const daily = [...firstStep].filter((_, day) => steps[day] === 1 && whole[day] === 1);
  const edges = hasEdges ? daily.map((step) => bounds[2 * step]) : daily.map((step) => seconds[step]);
  if (!edges.every(isMidnight)) throw localDays({ source, column }, zone);
}

function isMidnight(time: number): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}

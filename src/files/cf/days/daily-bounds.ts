import type { DailySteps } from '../../../ensemble/daily-steps.js';
import { DataError, mentionOption } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import type { ArrayLayout } from '../array-layout.js';
import { modelPart, utcText } from '../time/time-units.js';
import { hasLength } from './array-amounts.js';

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;

/**
 * Notes on bounds of daily values that are not from midnight to midnight of UTC. Bounds that begin at another hour are
 * of the day in which their middle is. Bounds of more than half a day from the first instant of a UTC day to its last
 * one, at 00 UTC or amid the first step, as CDO writes them, are of that day. Throws DataError for other bounds that
 * cover a part of a day.
 */
export function dailyBoundsNotes(
  source: string,
  { array, times: { calendar } }: ArrayLayout,
  bounds: Float64Array | undefined,
  { steps, whole, firstStep, firstDay, seconds }: DailySteps,
): string[] {
  if (bounds === undefined || !hasLength(bounds)) return [];
  const daily = [...firstStep.keys()].filter((day) => steps[day] === 1 && whole[day] === 1);
  const edges = (day: number) => [bounds[2 * firstStep[day]], bounds[2 * firstStep[day] + 1]];
  const model = modelPart(calendar);
  const inWords = (day: number) =>
    edges(day)
      .map((edge) => utcText(edge, model))
      .join(' to ');
  const ofPart = daily.find((day) => seconds[firstStep[day]] > edges(day)[1] - edges(day)[0] + TOLERANCE);
  if (ofPart !== undefined) {
    const [from, to] = edges(ofPart);
    const between = DAY_SECONDS - (to - from);
    const offset = from - DAY_SECONDS * Math.floor(from / DAY_SECONDS);
    const areInstants =
      between < DAY_SECONDS / 2 && (offset <= TOLERANCE || Math.abs(offset - between / 2) <= TOLERANCE);
    if (areInstants)
      return [
        `bounds of ${array.name}, ${inWords(ofPart)}, are taken for the first and the last instant of a whole day`,
      ];
    throw new DataError({
      ...{ source, column: array.name, problem: `has daily values whose bounds cover ${(to - from) / 3600} h` },
      received: inWords(ofPart),
      allowed: `bounds of whole days; or ${mentionOption('stamps', 'start')}, if each value is of the whole day of its time`,
    });
  }
  const shifted = daily.find((day) => !isMidnight(edges(day)[0]));
  if (shifted === undefined) return [];
  const [date] = utcText(DAY_SECONDS * (firstDay + shifted), model).split('T');
  return [`daily values of ${array.name} of ${inWords(shifted)} are taken for values of ${date}`];
}

function isMidnight(time: number): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}

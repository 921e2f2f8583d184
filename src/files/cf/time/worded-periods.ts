import type { TimeAxis } from './time-axis.js';

const HOUR = 3600;
const PERIOD = String.raw`(\d+) hour\s+period \(([^)]+)\)`;
const PERIODS = new RegExp(String.raw`\bin the last ${PERIOD} or ${PERIOD}`, 'i');
/** Times are equal if they differ by no more seconds. */
const TOLERANCE = 60;

/**
 * The bounds of periods whose lengths alternate, as dynamical.org states them for means and amounts of GEFS: "Average
 * value in the last 6 hour period (00, 06, 12, 18 UTC) or 3 hour period (03, 09, 15, 21 UTC)", or with "lead times 6, 12,
 * 18, ... hours" (https://github.com/dynamical-org/reformatters, noaa/gefs, `comment` of variables with a window that is reset).
 * The start of the run has an empty one. Undefined for other texts, and where a time is in neither list.
 */
export function wordedPeriods(text: string, { seconds, init }: TimeAxis): Float64Array | undefined {
  const [, ...parts] = PERIODS.exec(text) ?? [];
  const kinds = [parts.slice(0, 2), parts.slice(2)].map(([hours, list = '']) => ({
    length: HOUR * Number(hours),
    isLead: /\blead/i.test(list),
    hours: (list.match(/\d+/g) ?? []).map(Number),
  }));
  const bounds = new Float64Array(2 * seconds.length);
  for (const [step, time] of seconds.entries()) {
    const lengthAt = () => kinds.find((kind) => isListed(kind, time, init))?.length;
    const length = init !== undefined && time <= init + TOLERANCE ? 0 : lengthAt();
    if (length === undefined) return undefined;
    bounds.set([time - length, time], 2 * step);
  }
  return bounds;
}

/** Whether a time is one of the hours of UTC, or of the leads: the first two of these are followed by others as far apart. */
function isListed(
  { isLead, hours }: { readonly isLead: boolean; readonly hours: readonly number[] },
  time: number,
  init: number | undefined,
): boolean {
  if (!isLead) return hours.includes((time / HOUR) % 24);
  if (init === undefined || hours.length < 2) return false;
  const [first, second] = hours;
  const lead = (time - init) / HOUR;
  return lead >= first && (lead - first) % (second - first) === 0;
}

import { requestedPlaceDays } from '../ensemble/place-days.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { zonedEnsemble } from '../files/cf/weights/zoned-ensemble.js';
import type { ArrayInput } from './input.js';
import type { DailyRequest, ValueOptions } from './input-request.js';
import { reportOnce } from './notice.js';
import { pointsOf } from './place-files.js';

/*
 * Loaded when zones of places are requested.
 */

/**
 * Opens the places of a file of arrays, each with the days of its zone: `open` opens them with the days of one. Reports
 * once what was done for all of them. Throws as `zonedEnsemble` does.
 */
export async function openZones(
  input: ArrayInput,
  { values: given, columns }: Pick<DailyRequest, 'values' | 'columns'>,
  open: (input: ArrayInput, values: ValueOptions) => Promise<GridEnsemble>,
): Promise<GridEnsemble> {
  const { timeZones, timeZone, dayStart, hours, splitExtremes, ...values } = given;
  const part = { dayStart, hours, splitExtremes };
  const zones = requestedPlaceDays({ ...part, timeZone, timeZones });
  const own = { ...input, report: reportOnce(input.report) };
  const points = values.points === undefined ? undefined : await pointsOf(own, values.points, columns);
  if (zones === undefined) return open(own, values);
  return zonedEnsemble(
    zones,
    (zone) => open(own, zone === undefined ? values : { ...values, ...part, timeZone: zone }),
    points,
  );
}

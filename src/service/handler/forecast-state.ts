import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { ForecastRun } from '../source/source.js';

/** The seconds since the run of each horizon was issued, from the shortest. */
export function horizonAges({ horizons, initTime }: ForecastRun, now: number): Map<HorizonName, number> {
  const ages = new Map<HorizonName, number>();
  const age = (time: string) => Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  for (const horizon of HORIZONS) {
    const run = horizons[horizon];
    if (run !== undefined) ages.set(horizon, age(run.initTime));
  }
  // A source may have a timeline alone.
  if (ages.size === 0) ages.set(HORIZONS[0], age(initTime));
  return ages;
}

/** What `/ready` says of a forecast. */
export function describeForecast(run: ForecastRun, now: number): object {
  const { generation, horizons, initTime, shortfalls } = run;
  const ages = [...horizonAges(run, now)].map(([horizon, age]) => [
    horizon,
    { init_time: horizons[horizon]?.initTime ?? initTime, age_seconds: age },
  ]);
  return { generation, horizons: Object.fromEntries(ages), ...(shortfalls && { incomplete: shortfalls }) };
}

/** The horizons that are older than they may be. */
export function horizonsTooOld(
  run: ForecastRun,
  maxAgeSeconds: Readonly<Partial<Record<HorizonName, number>>>,
  now: number,
): HorizonName[] {
  const ages = horizonAges(run, now);
  return HORIZONS.filter((horizon) => {
    const limit = maxAgeSeconds[horizon];
    return limit !== undefined && (ages.get(horizon) ?? Number.POSITIVE_INFINITY) > limit;
  });
}

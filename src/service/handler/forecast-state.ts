import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { ForecastRun, Shortfall } from '../source/source.js';
import type { HeaderList } from './response-parts.js';

/** The seconds since the run of each horizon was issued, from the shortest. */
function horizonAges({ horizons, initTime }: ForecastRun, now: number): Map<HorizonName, number> {
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

/** Headers about the runs behind an answer: how old they are, and which lack something. They are made once a second. */
export class ForecastHeaders {
  readonly #made = new WeakMap<ForecastRun, { readonly second: number; readonly headers: HeaderList }>();

  add(headers: HeaderList, run: ForecastRun, now: number): void {
    const second = Math.floor(now / 1000);
    let made = this.#made.get(run);
    if (made?.second !== second) {
      made = { second, headers: forecastHeaders(run, now) };
      this.#made.set(run, made);
    }
    for (const text of made.headers) headers.push(text);
  }
}

function forecastHeaders(run: ForecastRun, now: number): HeaderList {
  const headers = ['forecast-age', [...horizonAges(run, now)].map(([horizon, age]) => `${horizon}=${age}`).join(', ')];
  const { shortfalls = [] } = run;
  if (shortfalls.length > 0) headers.push('forecast-incomplete', shortfalls.map(shortfallHeader).join(', '));
  return headers;
}

/** An item of a structured field: `short-term;members=30;expected-members=31` */
function shortfallHeader({ horizon, members, days, variables, fine }: Shortfall): string {
  return [
    horizon,
    ...(members ? [`members=${members.received}`, `expected-members=${members.expected}`] : []),
    ...(days ? [`days=${days.received}`, `expected-days=${days.expected}`] : []),
    ...(variables ? [`missing="${variables.join(' ')}"`] : []),
    ...(fine ? ['without-1km'] : []),
  ].join(';');
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

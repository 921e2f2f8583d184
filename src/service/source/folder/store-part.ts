import { HORIZONS, type HorizonName } from '../../../variable/availability.js';

/** A horizon at 1 km, as its model computed it. */
export type FineHorizonPart = `fine-${HorizonName}`;

/** The parts of a forecast: the blended timeline and each horizon as its model computed it, coarse and at 1 km. */
export type ForecastPart = 'timeline' | 'fine-timeline' | HorizonName | FineHorizonPart;

/** The parts of the history: the reanalysis, and the analysis that fills its gaps, coarse and at 1 km. */
export type HistoryPart = 'reanalysis' | 'analysis' | 'fine-reanalysis' | 'fine-analysis';

/** A dataset of a store: variables on one set of places. */
export type StorePart = ForecastPart | HistoryPart;

/** Every part of a forecast. */
export const FORECAST_PARTS: readonly ForecastPart[] = /* @__PURE__ */ Object.freeze([
  'timeline',
  'fine-timeline',
  ...HORIZONS,
  ...HORIZONS.map((horizon) => `fine-${horizon}` as const),
] as const);

/** Every part that a store can have. */
export const STORE_PARTS: readonly StorePart[] = /* @__PURE__ */ Object.freeze([
  ...FORECAST_PARTS,
  'reanalysis',
  'analysis',
  'fine-reanalysis',
  'fine-analysis',
] as const);

/** Whether a part belongs to the forecast. */
export function isForecastPart(part: StorePart): part is ForecastPart {
  return (FORECAST_PARTS as readonly string[]).includes(part);
}

/** The horizon that a part is of; undefined for timelines and histories. */
export function horizonOf(part: StorePart): HorizonName | undefined {
  return HORIZONS.find((horizon) => part === horizon || part === `fine-${horizon}`);
}

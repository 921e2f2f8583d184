import type { Choice, OptionSchema } from '../check/option-checks.js';
import { mentionOption, OptionError, unusable } from '../errors.js';

/** The points for which a file of arrays gives values. */
export interface PlaceOptions {
  /** A file of points: CSV, Parquet or Arrow with columns latitude and longitude, or GeoJSON. */
  readonly points?: string;
  /** Whether a point has the value of the nearest cell (default), or a bilinear one of the four around it. */
  readonly pointMethod?: Choice<'nearest' | 'bilinear'>;
  /** A file of arrays with the share of land in each cell: of the cells within a grid step the nearest one of land. */
  readonly landMask?: string;
  /** Kelvin per kilometre, by which temperatures are taken to the elevation of each point. */
  readonly lapseRate?: number;
  /** A file of arrays with the height of the surface in each cell, where the file itself does not have it. */
  readonly modelElevation?: string;
}

/** Batches hash requests as JSON: another order is another request. */
export const PLACE_OPTIONS = /* @__PURE__ */ (() => {
  return {
    points: { type: 'text', allowed: 'the path of a file' },
    pointMethod: { choices: ['nearest', 'bilinear'] },
    landMask: { type: 'text', allowed: 'the path of a file' },
    lapseRate: { check: assertLapseRate },
    modelElevation: { type: 'text', allowed: 'the path of a file' },
  } satisfies OptionSchema<PlaceOptions>;
})();

/** Options that need another one. */
const NEEDED: readonly (readonly [keyof PlaceOptions, keyof PlaceOptions])[] = [
  ['pointMethod', 'points'],
  ['landMask', 'points'],
  ['lapseRate', 'points'],
  ['modelElevation', 'lapseRate'],
];

/** Throws OptionError for an option that has no effect without another. */
export function assertPlaceOptions(values: PlaceOptions): void {
  const lone = NEEDED.find(([name, needed]) => values[name] !== undefined && values[needed] === undefined);
  if (lone === undefined) return;
  const [subject, needed] = lone;
  throw new OptionError({
    ...{ subject, problem: 'has no effect alone', received: values[subject] },
    allowed: `${mentionOption(needed)} with it`,
  });
}

function assertLapseRate(lapseRate: number): void {
  if (typeof lapseRate !== 'number' || !Number.isFinite(lapseRate)) {
    throw unusable('lapseRate', lapseRate, 'kelvin per kilometre, such as 6.5');
  }
}

/** The options that are not about points. */
export function withoutPlaces<Options extends PlaceOptions>({
  points,
  pointMethod,
  landMask,
  lapseRate,
  modelElevation,
  ...others
}: Options): Omit<Options, keyof PlaceOptions> {
  return others;
}

/** The files that are read besides the input. */
export function placeFiles({ points, landMask, modelElevation }: PlaceOptions): string[] {
  return [points, landMask, modelElevation].filter((path) => path !== undefined);
}

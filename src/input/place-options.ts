import type { Choice, OptionSchema } from '../check/option-checks.js';
import type { BoundingBox } from '../ensemble/bounding-box.js';
import { mentionOption, OptionError, unusable } from '../errors.js';

/** The points or regions for which a file of arrays gives values. */
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
  /** A file of regions: GeoJSON or TopoJSON with polygons, or a mask on the grid as NetCDF or Zarr. */
  readonly regions?: string;
  /** The property with the names of regions. Default: `name`, else `id`. */
  readonly regionName?: string;
  /** What becomes of the cells of a region: their mean weighted by area (default), the smallest or the largest value. */
  readonly regionStatistic?: Choice<'mean' | 'min' | 'max'>;
  /** The share of a region's area whose daily values fulfil a condition, in place of a statistic: `>20`. */
  readonly areaCondition?: string;
  /** The least share of a region's area that must have data, from 0 to 1. Default 0.5. */
  readonly minAreaShare?: number;
  /** A file that keeps the weights of the cells of regions: made where it is not there, else used. */
  readonly regionWeights?: string;
  /** The mean over the cells of the box `bbox`, as of one region. */
  readonly mean?: boolean;
}

/** Batches hash requests as JSON: another order is another request. */
export const PLACE_OPTIONS = /* @__PURE__ */ (() => {
  return {
    points: { type: 'text', allowed: 'the path of a file' },
    pointMethod: { choices: ['nearest', 'bilinear'] },
    landMask: { type: 'text', allowed: 'the path of a file' },
    lapseRate: { check: assertLapseRate },
    modelElevation: { type: 'text', allowed: 'the path of a file' },
    regions: { type: 'text', allowed: 'the path of a file' },
    regionName: { type: 'text', allowed: 'the name of a property' },
    regionStatistic: { choices: ['mean', 'min', 'max'] },
    areaCondition: { type: 'text', allowed: 'a condition such as >20' },
    minAreaShare: { check: assertAreaShare },
    mean: { type: 'flag' },
    regionWeights: { type: 'text', allowed: 'the path of a file' },
  } satisfies OptionSchema<PlaceOptions>;
})();

type Given = PlaceOptions & { readonly bbox?: BoundingBox | undefined };

/** Options that need one of some others. */
const NEEDED: readonly (readonly [keyof PlaceOptions, ...(keyof Given)[]])[] = [
  ['pointMethod', 'points'],
  ['landMask', 'points'],
  ['lapseRate', 'points'],
  ['modelElevation', 'lapseRate'],
  ['regionName', 'regions'],
  ['regionStatistic', 'regions', 'bbox'],
  ['areaCondition', 'regions', 'bbox'],
  ['minAreaShare', 'regions', 'mean', 'regionStatistic', 'areaCondition'],
  ['mean', 'bbox'],
  ['regionWeights', 'regions', 'mean', 'regionStatistic', 'areaCondition'],
];

/** Throws OptionError for an option that has no effect without another, or that contradicts another. */
export function assertPlaceOptions(values: Given): void {
  const lone = NEEDED.find(([name, ...needed]) => isGiven(values, name) && !needed.some((one) => isGiven(values, one)));
  if (lone !== undefined) {
    const [subject, needed] = lone;
    throw new OptionError({
      ...{ subject, problem: 'has no effect alone', received: values[subject] },
      allowed: `${mentionOption(needed as 'points')} with it`,
    });
  }
  const statistics = (['mean', 'regionStatistic', 'areaCondition'] as const).filter((name) => isGiven(values, name));
  if (statistics.length < 2) return;
  throw new OptionError({
    ...{ subject: statistics[1], problem: `cannot be given together with ${mentionOption(statistics[0])}` },
    allowed: 'one of the two',
  });
}

function isGiven(values: Given, name: keyof Given): boolean {
  return values[name] !== undefined && values[name] !== false;
}

/** Whether a box is one region, and not the cells within it. */
export function isRegionBox(values: Given): boolean {
  const names = ['mean', 'regionStatistic', 'areaCondition'] as const;
  return isGiven(values, 'bbox') && names.some((name) => isGiven(values, name));
}

function assertAreaShare(share: number): void {
  if (!(typeof share === 'number' && share >= 0 && share <= 1)) {
    throw unusable('minAreaShare', share, 'a share from 0 to 1, such as 0.5');
  }
}

function assertLapseRate(lapseRate: number): void {
  if (typeof lapseRate !== 'number' || !Number.isFinite(lapseRate)) {
    throw unusable('lapseRate', lapseRate, 'kelvin per kilometre, such as 6.5');
  }
}

/** The options that are not about points or regions. */
export function withoutPlaces<Options extends PlaceOptions>(options: Options): Omit<Options, keyof PlaceOptions> {
  const others = Object.entries(options).filter(([name]) => !Object.hasOwn(PLACE_OPTIONS, name));
  return Object.fromEntries(others) as Omit<Options, keyof PlaceOptions>;
}

/** The files that are read besides the input. */
export function placeFiles({ points, landMask, modelElevation, regions }: PlaceOptions): string[] {
  return [points, landMask, modelElevation, regions].filter((path) => path !== undefined);
}

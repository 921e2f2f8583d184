import type { Accumulation } from '../../ensemble/accumulation.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { Variable } from '../../variable/variable.js';
import type { NamedCoordinates } from './named-coordinates.js';

/** What callers may tell about a file of arrays. */
export interface GridOptions {
  /** The variable to read, by its slug, a name that files use (`tp`) or as it is; needed where the file holds several. */
  readonly variable?: VariableSlug | Variable;
  /** Variables of the caller's own, of which names in files may be. */
  readonly variables?: readonly Variable[];
  /** The name of the array to read, where several hold the variable, or none that is known. */
  readonly array?: string;
  /**
   * What times without bounds mark: the start of the step that a value holds for, or its end. Default: the end where the file says that it was
   * made from GRIB values of an interval (`GRIB_stepType` is accum, avg, max or min), else the start.
   */
  readonly stamps?: Stamps;
  /**
   * What amounts count: `per-step` what fell in each step, `since-start` what fell since the run began, `buckets` what fell since a regular reset, at
   * every 6 hours with `buckets-6h`. Default: what metadata say, else what values of steps shorter than a day tell, else each day's own.
   */
  readonly accumulation?: Accumulation;
  /**
   * The calendar of the times by its CF name, where the file does not state it: `noleap`, `360_day`, ... Default: `standard`, as CF
   * defines it.
   */
  readonly calendar?: string;
  /** Which run of several in the file: its time, `2024-01-01` or `2024-01-01T12:00:00Z`. */
  readonly init?: string;
  /** Which arrays are the latitudes and longitudes of cells, in degrees, where the file does not tell: `{ latitude: 'y', longitude: 'x' }`. */
  readonly coordinates?: NamedCoordinates;
  /** Numbers that stand for missing values beside those that the file declares, such as -9999: of values as they are decoded. */
  readonly missing?: number | readonly number[];
}

/** The keys of GridOptions. */
export const GRID_OPTIONS: readonly (keyof GridOptions)[] = [
  'variable',
  'variables',
  'array',
  'stamps',
  'accumulation',
  'calendar',
  'init',
  'coordinates',
  'missing',
];

import {
  assertKind,
  assertKnownKeys,
  assertShape,
  type Choice,
  checkValues,
  namesOf,
  type OptionSchema,
} from '../../check/option-checks.js';
import { WORK_KEYS } from '../../check/work.js';
import type { Accumulation } from '../../ensemble/accumulation.js';
import { type BoundingBox, checkBoundingBox } from '../../ensemble/bounding-box.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import type { LocalDayOptions } from '../../ensemble/local-days.js';
import { OptionError, unusable, withKeys } from '../../errors.js';
import { READ_OPTIONS } from '../../table/columns/read-options.js';
import { DAILY_OPTIONS } from '../../table/daily/daily-options.js';
import type { VariableSlug } from '../../variable/slug.js';
import { type Variable, WINDOW_RULES, type WindowRule } from '../../variable/variable.js';
import { assertCoordinates, type NamedCoordinates } from './coordinates.js';

/** What callers may state about a file of arrays. */
export interface GridOptions extends LocalDayOptions {
  /**
   * The variable to read: its slug, a name that files use (`tp`), or a definition; needed where the file holds several.
   */
  readonly variable?: VariableSlug | Variable;
  /** Variables of the caller's own, which names in files may mean. */
  readonly variables?: readonly Variable[];
  /**
   * How days of a window become one value: with it, `variable` may be any other name, as of an array, in the
   * units of the file.
   */
  readonly window?: Choice<WindowRule>;
  /** The name of the array to read, where several hold the variable, or none is known to hold it. */
  readonly array?: string;
  /**
   * What times stand for: the start, the middle or the end of the step of a value, or the instant of the value. Default:
   * by the evidence of the file, see docs/what-a-value-stands-for.md.
   */
  readonly stamps?: Choice<Stamps>;
  /**
   * What amounts count: `per-step` what fell in each step, `since-start` what fell since the run began, `buckets` what
   * fell since a regular reset, every 6 hours for `buckets-6h`. Default: as the metadata say, else as values of steps
   * shorter than a day show, else what fell on each day.
   */
  readonly accumulation?: Choice<Accumulation>;
  /**
   * The calendar of the times by its CF name, where the file does not state it: `noleap`, `360_day`, ... Default:
   * `standard`, as CF defines it.
   */
  readonly calendar?: string;
  /**
   * The run to read, where the file has several: its time, `2024-01-01` or `2024-01-01T12:00:00Z`; or `all`, to read
   * them as one lagged ensemble: each run's members are members, and have missing values on days that their run does
   * not have.
   */
  readonly init?: string;
  /**
   * The arrays with the cells' latitudes and longitudes, in degrees, where the file does not state them: `{ latitude:
   * 'y', longitude: 'x' }`.
   */
  readonly coordinates?: NamedCoordinates;
  /**
   * Read only cells whose centres are within this box, its edges included: `{ south: 35, west: -10, north: 60, east: 30
   * }`, in degrees. A box whose west is greater than its east crosses the date line. Default: all cells.
   */
  readonly bbox?: BoundingBox;
  /** Read only the places with these ids, where the file has ids of places. Default: all. */
  readonly ids?: readonly string[];
  /**
   * Leave out the cells of a curvilinear grid that have no latitude and longitude, such as those beside the disc that a
   * satellite sees: the others are a list of places. Default false.
   */
  readonly onlyPlaced?: boolean;
  /** The dimension of members, where its name does not show it: `record`. */
  readonly memberDimension?: string;
  /** The units of the values, where the array does not state them, as CF writes them: `K`, `kg m-2 s-1`. */
  readonly units?: string;
  /** Numbers that stand for missing values besides those that the file declares, such as -9999: decoded values. */
  readonly missing?: number | readonly number[];
  /**
   * Whether values are those of days, ISO weeks or calendar months, such as monthly means, and each day has the value
   * of its period; amounts are divided among its days. Default false: values of periods longer than a day are an error.
   */
  readonly native?: boolean;
}

/** Grid options whose words are checked. */
export type CheckedGridOptions = GridOptions & {
  readonly stamps?: Stamps;
  readonly accumulation?: Accumulation;
  readonly window?: WindowRule;
  /** Whether each time step is a row, in place of days. */
  readonly asSteps?: boolean;
};

/** The options of `gridEnsemble`. */
export const GRID_OPTIONS = /* @__PURE__ */ (() => {
  const { variable, variables, calendar } = READ_OPTIONS;
  const { stamps, accumulation, missing, units, timeZone, dayStart, hours, splitExtremes } = DAILY_OPTIONS;
  return {
    ...{ variable, variables },
    window: { choices: WINDOW_RULES },
    array: { type: 'text' },
    ...{ stamps, accumulation, calendar },
    init: { check: assertRun },
    coordinates: { check: assertCoordinates },
    bbox: { check: (box: BoundingBox) => checkBoundingBox(box) },
    ids: { check: assertIdList },
    onlyPlaced: { type: 'flag' },
    memberDimension: { type: 'text', allowed: 'the name of a dimension' },
    units,
    missing,
    native: { type: 'flag' },
    ...{ timeZone, dayStart, hours, splitExtremes },
  } satisfies OptionSchema<GridOptions>;
})();

function assertIdList(ids: readonly string[]): void {
  assertKind('ids', ids, 'texts');
}

/** A date, which a calendar may have that is not the real one, or a date and a time. */
const RUN = /^\d{4}-\d{2}-\d{2}([T ]\d{2}(:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function assertRun(init: unknown): void {
  if (typeof init === 'string' && (init === 'all' || RUN.test(init))) return;
  throw new OptionError({
    ...{ subject: 'init', problem: 'is not the time of a run', received: init },
    allowed: 'a date or a time, such as 2024-01-01 or 2024-01-01T12:00:00Z; or all',
  });
}

/** Throws OptionError for what is not an open file of arrays. */
export function assertArrayFile(file: unknown): void {
  if (!(Object(file).arrays instanceof Map)) {
    throw unusable(
      'file',
      withKeys(file),
      'what `await openArrays(...)` gives, or an object with source, arrays, attributes',
    );
  }
  assertShape('file', file, {
    source: 'any text',
    arrays: 'map',
    attributes: 'map',
    isArchive: 'flag?',
    filesWithin: 'function?',
  });
}

/** Throws OptionError for what is not an open file of arrays, and for options that cannot be used. */
export function assertFile(file: unknown, options: GridOptions): asserts options is CheckedGridOptions {
  assertArrayFile(file);
  checkGridOptions(options);
}

/** Throws OptionError for options that cannot be used; the function also takes the names in `others`. */
export function checkGridOptions(options: GridOptions, others: readonly string[] = []): void {
  assertKnownKeys(options, [...namesOf(GRID_OPTIONS), ...others, ...WORK_KEYS]);
  checkValues<GridOptions, typeof GRID_OPTIONS>(options, GRID_OPTIONS);
}

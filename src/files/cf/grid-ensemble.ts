import type { WorkOptions } from '../../check/work.js';
import type { Core } from '../../core/load.js';
import type { FloatType } from '../../core/number-arrays.js';
import type { Amounts, StepEdges } from '../../ensemble/accumulation.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import type { Grid } from '../../ensemble/grid.js';
import type { TimeMeaning } from '../../ensemble/time-meaning.js';
import type { Granularity } from '../../period/period.js';
import type { Variable } from '../../variable/variable.js';

/** Some consecutive cells, in the order of the grid, and some consecutive days of an ensemble. */
export interface Block {
  readonly cell: number;
  readonly cells: number;
  /** Counted from the ensemble's first day. */
  readonly day: number;
  readonly days: number;
}

/** How the facts of an array, or of columns, are taken, and by what, for people. */
export interface TakenFacts {
  readonly units: string;
  /** Of tables: the column of dates. */
  readonly dates?: string;
  /** Undefined where no dimension, or no coordinate, is theirs. */
  readonly members?: string;
  readonly places?: string;
  /** When the run starts, where that is stated, and the dimension of several runs. */
  readonly run: { readonly start?: string; readonly along?: string };
}

/** Daily values of one variable of a file, in the variable's unit, on UTC days: read block by block. */
export interface GridEnsemble {
  readonly source: string;
  /** The name of the array in the file. */
  readonly array: string;
  /** Undefined where neither the caller nor the file names a known variable. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** Notes for people on what was done to the values: `K to degC`, `3-hourly means to daily means`. */
  readonly conversions: readonly string[];
  /** What may be wrong: defaults that change numbers, and statements that contradict each other. */
  readonly warnings: readonly string[];
  /** What times stand for, and by which evidence; undefined for values of weeks or months. */
  readonly times?: TimeMeaning;
  /** How the file is read otherwise; undefined for an ensemble that is computed from several arrays. */
  readonly taken?: TakenFacts;
  /**
   * What the amounts of the file count; `either` where both ways to count them give the same days. Undefined for other
   * values, and for daily amounts.
   */
  readonly accumulation?: Amounts['kind'];
  /**
   * The periods of the stored values, each of whose days has the same value; where these were requested by `native`.
   */
  readonly granularity?: Granularity;
  /** General texts that results keep: title, institution, source, init_time, horizon, version, ... */
  readonly metadata: ReadonlyMap<string, string>;
  readonly type: FloatType;
  /** The members' names, as in the file; a single one where the file has no members. */
  readonly members: readonly string[];
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** Where each day is a time step in their place: when each begins and ends, in seconds since 1970-01-01 UTC. */
  readonly edges?: StepEdges;
  readonly grid: Grid;
  readonly cells: number;
  /**
   * Divides the work into blocks that take at most `bytes` bytes of memory each while they are read, including the
   * values in the core's memory, so that stored values are read as rarely as possible. Each block has all days, or
   * complete windows, from one of the `cuts` (days counted from the first, ascending) up to another. Without `cuts`,
   * blocks have all days. Throws DataError where not even the smallest block fits.
   */
  blocks(bytes: number, cuts: readonly number[]): readonly Block[];
  /**
   * Reads a block to the top of the core's memory: the caller marks and releases it, and nothing else
   * allocates in it meanwhile, so that reads at once need a core each. Missing values are NaN. If reading
   * fails or is aborted, the memory is released.
   */
  read(block: Block, core: Core, options?: WorkOptions): Promise<EnsemblePart>;
}

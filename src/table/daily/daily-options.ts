import type { Accumulation } from '../../ensemble/accumulation.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import type { ReadOptions } from '../read-options.js';

/** How to understand a table whose values may be of time steps within days, or in other units than the variable's. */
export interface DailyTableOptions extends ReadOptions {
  /** The units of the values where the table does not state them, as CF writes them: `K`, `kg m-2 s-1`. */
  readonly units?: string;
  /** The model whose members are meant, where columns are of several: `icon_seamless_eps`. Members of several models are not one ensemble. */
  readonly model?: string;
  /**
   * What the times of steps mark: their start (the default: a day's first is at 00:00), or their end, as of amounts that grow, and of what
   * Open-Meteo gives of the preceding hour.
   */
  readonly stamps?: Stamps;
  /**
   * What amounts count: `per-step` what fell in each step, `since-start` what fell since the run began, `buckets` what fell since a regular reset, at
   * every 6 hours with `buckets-6h`. Default: what metadata say, else what values of steps tell; daily amounts are those of their day.
   */
  readonly accumulation?: Accumulation;
  /**
   * Numbers that stand for missing values, such as -9999: values equal to one of them, as the type of their column holds it (float32
   * -9999.9), are missing.
   */
  readonly missing?: number | readonly number[];
  /**
   * Whether rows of daily values may be in any order: they are sorted by place, member and day. Without it, rows out of order are an error.
   * A day that comes twice is one either way. Time steps may always be in any order.
   */
  readonly sort?: boolean;
}

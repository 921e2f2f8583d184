import type { Table } from 'apache-arrow';
import type { Places } from '../arrow/nearest-place.js';
import type { Granularity } from '../period/window-table.js';
import type { Axis } from '../store/dataset.js';
import type { Horizon } from '../variable/availability.js';

/** A history in a store: the reanalysis, or the analysis that fills the days that it lacks; each at 1 km, too. */
export type HistoryPart = 'reanalysis' | 'analysis' | 'fine-reanalysis' | 'fine-analysis';

/** A dataset in a store. */
export type StorePart = 'timeline' | 'fine-timeline' | Horizon | HistoryPart;

/** When a forecast was issued and what it is called: see `ForecastRun`. */
export interface ForecastHeader {
  readonly initTime: string;
  readonly version: string;
  readonly generation: string;
  readonly nextInitTime?: string;
  readonly horizonInitTimes: Readonly<Partial<Record<Horizon, string>>>;
}

/** One variable of a dataset on its way into a store. */
export interface VariableBlocks {
  readonly slug: string;
  readonly units: string;
  readonly axis: Axis;
  readonly places: Places;
  /** The values of some consecutive places at a time, in order: as `Dataset.read` gives them, place after place. */
  readonly blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>;
}

/** What data are written to: a change of a store, which nobody sees before it is committed. */
export interface StoreWriter {
  /** Begins a new forecast, in place of the one that there is. */
  setForecast(header: ForecastHeader): void;
  write(part: StorePart, variable: VariableBlocks): Promise<void>;
  setElevation(elevation: {
    readonly latitude: Float64Array;
    readonly longitude: Float64Array;
    readonly metres: Float32Array;
  }): Promise<void> | void;
  setClimatology(
    of: 'observations' | Horizon,
    granularity: Granularity,
    slug: string,
    table: Table,
  ): Promise<void> | void;
}

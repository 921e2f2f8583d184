import type { Table } from 'apache-arrow';
import type { Granularity } from '../../period/window-table.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Dataset } from './dataset.js';

/** Where a service has its data from. */
export interface WeatherSource {
  /**
   * The data as they are now. A request reads through one snapshot only, so that it sees one run and never a mix; a snapshot stays
   * readable for as long as a request may take. Throws, or rejects with, FileError or FormatError where there is none now.
   */
  snapshot(): Snapshot | Promise<Snapshot>;
}

/** What a source has at one moment; what is absent is answered as not available. */
export interface Snapshot {
  readonly forecast?: ForecastRun;
  readonly history?: HistoryData;
  /** Metres above sea level; NaN where it is not known. Evapotranspiration is not available without. */
  elevation?(latitude: number, longitude: number): number;
  /**
   * A climatology of one granularity and variable, as `climatologyTable` writes it: that of the observations, or of a horizon's
   * model. Without one, that of the observations is computed from the history and there is none of the model.
   */
  climatology?(
    of: 'observations' | HorizonName,
    granularity: Granularity,
    slug: string,
  ): Table | undefined | Promise<Table | undefined>;
  /** Whom to credit for the data. */
  readonly attribution?: string;
  /** Changes with the elevation and the climatologies: part of the ETag, beside the revisions of the datasets. */
  readonly revision?: string;
}

/** One forecast: each horizon as its model gave it, and the timeline that they were blended to. */
export interface ForecastRun {
  /** When the short-term run was issued: ISO 8601 in UTC, ending in Z. */
  readonly initTime: string;
  /** Of the model or dataset. */
  readonly version: string;
  /** Unique to this forecast. */
  readonly generation: string;
  /** When the next one is expected, as `initTime`. */
  readonly nextInitTime?: string;
  /** The horizons blended: members are trajectories. `blendedDataset` makes it of the horizons. */
  readonly timeline: Dataset;
  /** The timeline at 1 km, of variables that are downscalable, wherever there are such data. */
  readonly fineTimeline?: Dataset;
  /** Horizons by themselves, which the legacy endpoints give, from their own first whole day on. */
  readonly horizons: Readonly<Partial<Record<HorizonName, HorizonRun>>>;
}

/** One horizon as its model gave it. */
export interface HorizonRun {
  readonly initTime: string;
  readonly data: Dataset;
}

/** What was observed or reanalysed: datasets of one member. */
export interface HistoryData {
  readonly data: Dataset;
  /** The same at 1 km, of variables that are downscalable. */
  readonly fine?: Dataset;
  /** Whether the legacy history of a place, which is a point of the 0.25 degree grid, was pre-loaded. */
  isPreloaded(latitude: number, longitude: number): boolean;
}

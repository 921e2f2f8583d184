import type { Table } from 'apache-arrow';
import type { Granularity } from '../../period/period.js';
import type { Shortfall } from '../../respond/answer-data.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Dataset } from './dataset.js';

export type { Shortage, Shortfall } from '../../respond/answer-data.js';

/** The source of a service's data. */
export interface WeatherSource {
  /**
   * The data as they are now. A request reads through one snapshot only, so that it sees one run and never a mix; a
   * snapshot stays readable for as long as a request may take, and new data are another object: what is known of a
   * snapshot is kept with it. Throws, or rejects with, FileError or FormatError where
   * there are no data now.
   */
  snapshot(): Snapshot | Promise<Snapshot>;
  /**
   * Looks whether the data are still where they come from, for `/ready`: rejects with FileError or FormatError where
   * they are gone, also while `snapshot` still has them. Without it, they are there as long as there is a snapshot.
   */
  check?(): Promise<void>;
  /**
   * For how many seconds new data may have been missed, as what has them cannot be reached; 0 while it can. Answers say it in
   * the header `Source-Age`. Optional.
   */
  ageSeconds?(): number;
}

/** The data of a source at one moment; requests for absent data are answered as not available. */
export interface Snapshot {
  readonly forecast?: ForecastRun;
  readonly history?: HistoryData;
  /** Metres above sea level; NaN where unknown. Evapotranspiration is not available without it. */
  elevation?(latitude: number, longitude: number): number;
  /**
   * A climatology of one granularity and variable, as `climatologyTable` writes it: of the observations, or of a
   * horizon's model. By default, that of the observations is computed from the history, and there is none of a model.
   */
  climatology?(
    of: 'observations' | HorizonName,
    granularity: Granularity,
    slug: string,
  ): Table | undefined | Promise<Table | undefined>;
  /** Runs that are kept as they were issued, the oldest first. */
  readonly issued?: readonly IssuedRun[];
  /** How good the issued forecasts were. */
  readonly record?: SkillRecord;
  /** Whom to credit for the data. */
  readonly attribution?: string;
  /** Changes with the elevation and the climatologies: part of the ETag, besides the revisions of the datasets. */
  readonly revision?: string;
}

/** One forecast: each horizon as its model computed it, and the timeline that was blended from them. */
export interface ForecastRun {
  /** When the short-term run was issued: ISO 8601 in UTC, ending in Z. */
  readonly initTime: string;
  /** Of the model or dataset. */
  readonly version: string;
  /** Unique to this forecast. */
  readonly generation: string;
  /** When the next one is expected, as `initTime`. */
  readonly nextInitTime?: string;
  /** The blended horizons: members are trajectories. `blendedDataset` makes it from the horizons. */
  readonly timeline: Dataset;
  /** The timeline at 1 km, of downscalable variables, wherever there are such data. */
  readonly fineTimeline?: Dataset;
  /** Each horizon by itself, for the legacy endpoints, from its own first complete day on. */
  readonly horizons: Readonly<Partial<Record<HorizonName, HorizonRun>>>;
  /** What its runs lack; undefined where they are complete, or that is not known. */
  readonly shortfalls?: readonly Shortfall[];
}

/** The run of a horizon as it was issued, which is kept beside newer ones. */
export interface IssuedRun {
  readonly horizon: HorizonName;
  /** As of a forecast: lead 0 is its first complete day. */
  readonly initTime: string;
  /** Opens its values, at all places of the run or at some. Rejects with FileError or FormatError. */
  open(): Promise<Dataset>;
}

/** How good issued forecasts were. */
export interface SkillRecord {
  /** Changes with what it says. */
  readonly revision: string;
  /** When it was last added to: ISO 8601 in UTC, ending in Z. */
  readonly updated: string;
  readonly series: readonly SkillSeries[];
}

/** How good the issued forecasts of one horizon, granularity and variable were. */
export interface SkillSeries {
  readonly horizon: HorizonName;
  readonly granularity: Granularity;
  readonly slug: string;
  /** Sums by place, under the slug: see `record-sums.ts`. */
  readonly data: Dataset;
  /** The skill at all places together, by the first lead of those that are together. */
  readonly leads: readonly {
    readonly lead: number;
    readonly cases: number;
    readonly crpsSkill?: number;
    readonly rpsSkill?: number;
  }[];
}

/** One horizon as its model computed it. */
export interface HorizonRun {
  readonly initTime: string;
  readonly data: Dataset;
  /** The same at 1 km, of downscalable variables, where there are such data. */
  readonly fine?: Dataset;
}

/** What was observed or reanalysed: datasets of one member. */
export interface HistoryData {
  readonly data: Dataset;
  /** The same at 1 km, of downscalable variables. */
  readonly fine?: Dataset;
  /** Whether the legacy history of a point of the 0.25 degree grid was pre-loaded. */
  isPreloaded(latitude: number, longitude: number): boolean | Promise<boolean>;
}

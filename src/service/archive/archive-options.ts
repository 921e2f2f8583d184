import type { Choice } from '../../check/option-checks.js';
import type { WorkOptions } from '../../check/work.js';
import type { Core } from '../../core/load.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import type { GridOptions } from '../../files/cf/index.js';
import type { OpenZarrOptions, ZarrStore } from '../../files/zarr/index.js';
import type { HorizonName } from '../../variable/availability.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { Variable } from '../../variable/variable.js';
import type { Snapshot } from '../source/source.js';

/** A Zarr store: its URL, that of a group in it, or any store of zarrita; `zarrFolder` makes one from a folder. */
export type ArchiveStore = string | URL | ZarrStore;

/** A store, and what its arrays do not state themselves. */
export interface ArchivePart extends Pick<GridOptions, 'accumulation' | 'init'> {
  readonly store: ArchiveStore;
  /** The path of the group within the store that holds the part. */
  readonly group?: string;
  /**
   * The array of a variable, by the variable's slug: where names do not show it, or several arrays hold the variable.
   */
  readonly arrays?: Readonly<Record<string, string>>;
  /** The units of a variable's array, by the variable's slug, where the array does not state them. */
  readonly units?: Readonly<Record<string, string>>;
  /**
   * What times stand for, where the arrays do not show it: of the values over a time of all arrays, or by the slugs of
   * variables. Times of instants stay as they are.
   */
  readonly stamps?: Choice<Stamps> | Readonly<Record<string, Choice<Stamps>>>;
}

/** Which store of an archive holds what; requests for absent parts are answered as not available. */
export interface ZarrArchive {
  /** Runs by horizon. In a store with several runs, the run that `init` names is read, or else the latest. */
  readonly forecast?: Readonly<Partial<Record<HorizonName, ArchiveStore | ArchivePart>>>;
  /** With one member. Climatologies of the observations are computed from it, place by place. */
  readonly history?: ArchiveStore | ArchivePart;
  /** Climatologies that exist already: see `Snapshot`. */
  readonly climatology?: Snapshot['climatology'];
  /** Metres above sea level: see `Snapshot`. */
  readonly elevation?: Snapshot['elevation'];
}

/**
 * How an archive is read and served. `signal` ends the opening, and all that is read later; `onProgress` counts the bytes
 * that are read.
 */
export interface ZarrSourceOptions extends WorkOptions {
  /** How stores are opened and read: headers, retries, what a missing chunk means. */
  readonly zarr?: Omit<OpenZarrOptions, 'cache' | 'source' | keyof WorkOptions>;
  /**
   * How many bytes of decoded chunks are kept in memory for all stores; the least recently used are dropped first.
   * Default 64 MiB.
   */
  readonly cacheBytes?: number;
  /**
   * The time between two checks whether metadata have changed, in seconds: 60 by default, 0 to check at every snapshot.
   */
  readonly refreshSeconds?: number;
  /** Called when a changed archive cannot be opened, once for each new fault; meanwhile the data before are served. */
  readonly onFault?: (error: Error) => void;
  /** The core that blends horizons, or a promise of it. Default: that of the package. */
  readonly core?: Core | PromiseLike<Core>;
  /**
   * The variables by which the members of horizons are paired. Default: `temp_mean` and `precipitation`, where all
   * horizons have them, else the first that all have.
   */
  readonly pairBy?: VariableSlug | readonly VariableSlug[];
  /** Additional variables that the archive has. */
  readonly variables?: readonly Variable[];
  /** The version of the model or dataset. Default: the one that the store states. */
  readonly version?: string;
  /** Whom to credit for the data. */
  readonly attribution?: string;
}

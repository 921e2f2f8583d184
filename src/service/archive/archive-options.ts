import type { Core } from '../../core/load.js';
import type { GridOptions } from '../../files/cf/index.js';
import type { OpenZarrOptions, ZarrStore } from '../../files/zarr/index.js';
import type { HorizonName } from '../../variable/availability.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { Variable } from '../../variable/variable.js';
import type { Snapshot } from '../source/source.js';

/** A Zarr store: its URL, that of a group in it, or anything that zarrita reads; `zarrFolder` makes one of a folder. */
export type ArchiveStore = string | URL | ZarrStore;

/** A store, and what is to be known of its arrays beside what they say themselves. */
export interface ArchivePart extends Pick<GridOptions, 'stamps' | 'accumulation' | 'init'> {
  readonly store: ArchiveStore;
  /** The path of the group within the store that holds the part. */
  readonly group?: string;
  /** Which array holds a variable, by its slug: where names do not tell, or several arrays hold it. */
  readonly arrays?: Readonly<Record<string, string>>;
}

/** Which store of an archive holds what; what is absent is answered as not available. */
export interface ZarrArchive {
  /** Runs by horizon. Of a store with several runs the latest is taken, or that which `init` names. */
  readonly forecast?: Readonly<Partial<Record<HorizonName, ArchiveStore | ArchivePart>>>;
  /** Of one member. Climatologies of the observations are computed from it, place by place. */
  readonly history?: ArchiveStore | ArchivePart;
  /** Climatologies that exist already: see `Snapshot`. */
  readonly climatology?: Snapshot['climatology'];
  /** Metres above sea level: see `Snapshot`. */
  readonly elevation?: Snapshot['elevation'];
}

/** How an archive is read and served. */
export interface ZarrSourceOptions {
  /** How stores are opened and read: headers, retries, what a missing chunk means. */
  readonly zarr?: Omit<OpenZarrOptions, 'cache' | 'source' | 'signal'>;
  /** How many bytes of decoded chunks are kept in memory for all stores, the least recently used given up first. Default 64 MiB. */
  readonly cacheBytes?: number;
  /** How often, at most, it is looked whether metadata have changed, in seconds: 60 by default, 0 for at every snapshot. */
  readonly refreshSeconds?: number;
  /** Told when an archive that has changed cannot be opened, once for each new fault; what was before is given on meanwhile. */
  readonly onFault?: (error: Error) => void;
  /** The core that blends horizons, or a promise of it. Default: that of the package. */
  readonly core?: Core | PromiseLike<Core>;
  /** The variable whose ranks join the members of horizons. Default: `temp_mean` where all horizons have it, else the first that all have. */
  readonly pairBy?: VariableSlug;
  /** Variables of your own that the archive has. */
  readonly variables?: readonly Variable[];
  /** Of the model or dataset; that which the store tells by default. */
  readonly version?: string;
  /** Whom to credit for the data. */
  readonly attribution?: string;
}

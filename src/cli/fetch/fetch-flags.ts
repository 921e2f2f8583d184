import type { OutputCompression, OutputFormat } from '../../batch/output-format.js';
import type { BoundingBox } from '../../ensemble/bounding-box.js';
import type { Archive } from '../../files/archives/archive.js';
import type { ArchiveOptions } from '../../input/archive-address.js';
import type { HORIZONS } from '../../variable/availability.js';
import type { Reporter } from '../reporter.js';

/** Values of the flags of `fetch`. */
export interface FetchFlags extends ArchiveOptions {
  variable: string[];
  out?: string;
  to?: OutputFormat;
  compression?: OutputCompression;
  store?: string;
  horizon?: (typeof HORIZONS)[number];
  bbox?: BoundingBox;
  quiet?: boolean;
  watch?: boolean;
  /** In minutes. */
  every?: number;
}

/** What is done with runs. */
export interface Fetch {
  readonly name: string;
  readonly flags: FetchFlags;
  readonly reporter: Reporter;
  /** The format of the file; undefined for a store, and for messages as they are. */
  readonly format: OutputFormat | undefined;
}

/** What is done with runs of an archive of one kind. */
export interface FetchOf<A extends Archive> extends Fetch {
  readonly archive: A;
  readonly signal?: AbortSignal | undefined;
}

/** A run of an archive that is complete. */
export interface FoundRun {
  /** When it begins, in seconds since 1970-01-01 UTC. */
  readonly run: number;
}

/** The runs of an archive, as `fetch` brings them. */
export interface ArchiveRuns<Found extends FoundRun> {
  /** Finds the newest complete run, or the one that begins at a time. Throws FileError and OptionError. */
  find(run?: string): Promise<Found>;
  /** Brings a run into its file or store. Throws FileError and others; what has come stays beside the output. */
  take(found: Found): Promise<void>;
  /** When runs begin after one and before another, in seconds, in their order. */
  between(after: number, before: number): Promise<readonly number[]>;
}

/** In the path of a file, what stands for the run. */
export const RUN = '{run}';

/** The path of the output of a run. */
export function targetOf({ out, store }: FetchFlags, run: number): string {
  return out === undefined ? (store as string) : out.replaceAll(RUN, hourOf(run));
}

/** When a run begins, as options name it: `2026-03-01T06`. */
export function hourOf(run: number): string {
  return new Date(1000 * run).toISOString().slice(0, 13);
}

import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import type { GribArchive } from '../files/archives/archive.js';
import type { ArchiveOptions } from '../input/archive-address.js';
import type { HORIZONS } from '../variable/availability.js';
import type { Reporter } from './reporter.js';

/** Values of the flags of `fetch`. */
export interface FetchFlags extends ArchiveOptions {
  variable: string[];
  out?: string;
  to?: OutputFormat;
  compression?: OutputCompression;
  store?: string;
  horizon?: (typeof HORIZONS)[number];
  quiet?: boolean;
  watch?: boolean;
  /** In minutes. */
  every?: number;
}

/** What is done with runs. */
export interface Fetch {
  readonly name: string;
  readonly archive: GribArchive;
  readonly flags: FetchFlags;
  readonly reporter: Reporter;
  /** The format of the file; undefined for a store, and for messages as they are. */
  readonly format: OutputFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** In the path of a file, what stands for the run. */
export const RUN = '{run}';

/** The path of the output of a run. */
export function targetOf({ out, store }: FetchFlags, run: number): string {
  const text = new Date(1000 * run).toISOString().slice(0, 13);
  return out === undefined ? (store as string) : out.replaceAll(RUN, text);
}

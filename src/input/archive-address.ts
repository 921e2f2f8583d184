import { unusable } from '../errors.js';

/*
 * An archive and what is read of it, as one text, which goes wherever a path goes: `archive://noaa:gefs?run=2026-03-01T00`.
 */

const PREFIX = 'archive://';

/** What names of archives, and their addresses, begin with: readers of these are loaded for them alone. */
export const MAY_BE_ARCHIVE = /^(archive:\/\/|[a-z][a-z0-9-]+:(?!\/))/;

/** What is read of an archive. */
export interface ArchiveOptions {
  /** When the run begins; by default the newest that is complete. */
  readonly run?: string | undefined;
  /** How many runs make one lagged ensemble; by default as many as the archive says. */
  readonly runs?: number | undefined;
  /** The last step in hours; by default all of the first product. */
  readonly leadHours?: number | undefined;
  /** The root of another copy than the first that the archive states. */
  readonly mirror?: string | undefined;
  /** A file of JSON with archives besides the known ones. */
  readonly archives?: string | undefined;
  /** The folder of a run that was fetched before. */
  readonly parts?: string | undefined;
  /** A text that later data of the same run have not: their version. */
  readonly version?: string | undefined;
}

export function isArchiveAddress(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** The text of an archive and what is read of it. */
export function archiveAddress(name: string, options: ArchiveOptions): string {
  const query = new URLSearchParams();
  for (const key of ['run', 'runs', 'leadHours', 'mirror', 'archives', 'parts', 'version'] as const)
    if (options[key] !== undefined) query.set(key, String(options[key]));
  const text = query.toString();
  return PREFIX + name + (text === '' ? '' : `?${text}`);
}

export function parseArchiveAddress(address: string): { readonly name: string; readonly options: ArchiveOptions } {
  const [name, query = ''] = address.slice(PREFIX.length).split('?');
  const { leadHours, runs, ...texts } = Object.fromEntries(new URLSearchParams(query)) as Record<
    string,
    string | undefined
  >;
  const numbers = { ...(leadHours && { leadHours: Number(leadHours) }), ...(runs && { runs: Number(runs) }) };
  return { name, options: { ...texts, ...numbers } };
}

const RUN = /^\d{4}-\d\d-\d\d(?:[T ](\d\d)(?::00(?::00)?)?Z?)?$/;

/** The time of a run, in seconds since 1970-01-01 UTC. Throws OptionError. */
export function parseRun(text: string): number {
  const [, hour = '00'] = RUN.exec(text) ?? [];
  const seconds = RUN.test(text) ? Date.parse(`${text.slice(0, 10)}T${hour}:00:00Z`) / 1000 : Number.NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw unusable('run', text, 'a day and an hour of UTC, such as 2026-03-01T06');
}

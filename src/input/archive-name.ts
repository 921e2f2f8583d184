import { OptionError, unusable } from '../errors.js';
import { namesArchive } from '../files/archives/archive.js';
import { type ArchiveOptions, archiveAddress } from './archive-address.js';

/** What a name may say of an archive. */
const KEYS = ['run', 'runs', 'leadHours', 'mirror', 'archives'] as const;

/**
 * The address of the archive that a text names, also with what is read of it: `noaa:gefs`, or
 * `noaa:gefs?run=2026-03-01T06&leadHours=240`; undefined for a text that names none. What it says counts before `others`.
 * Throws OptionError for what cannot be said of an archive.
 */
export function archiveOfName(text: string, others: ArchiveOptions = {}): string | undefined {
  const at = text.indexOf('?');
  const name = at < 0 ? text : text.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : text.slice(at + 1));
  const archives = query.get('archives') ?? others.archives;
  if (!namesArchive(name, { ...(archives !== undefined && { archives }) })) return undefined;
  for (const key of query.keys()) {
    if ((KEYS as readonly string[]).includes(key)) continue;
    const allowed = `${KEYS.join(', ')}, such as ${name}?run=2026-03-01T06&leadHours=240`;
    throw new OptionError({ subject: name, problem: 'has an unknown option', received: key, allowed });
  }
  const { run, mirror } = Object.fromEntries(query);
  const own: ArchiveOptions = {
    ...(run && { run }),
    ...(mirror && { mirror }),
    ...(archives && { archives }),
    ...(query.has('runs') && { runs: whole(name, 'runs', query.get('runs'), 1) }),
    ...(query.has('leadHours') && { leadHours: whole(name, 'leadHours', query.get('leadHours'), 0) }),
  };
  return archiveAddress(name, { ...others, ...own });
}

function whole(name: string, key: string, text: string | null, least: number): number {
  if (/^\d{1,4}$/.test(text ?? '') && Number(text) >= least) return Number(text);
  throw unusable(`${name}, ${key}`, text, `a whole number from ${least} to 9999`);
}

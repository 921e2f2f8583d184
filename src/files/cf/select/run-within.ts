import { OptionError } from '../../../errors.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { type ArrayReader, arrayReader } from '../array-reader.js';
import { type ArrayDimension, arrayDimensions, toPlainArray } from '../coordinates.js';
import { listedRuns, runDimension } from '../time/time-axis.js';
import { readLeads, readTimeValues } from '../time/time-coordinate.js';
import { modelPart, utcText } from '../time/time-units.js';
import { type SelectedAxis, selectedArray } from './selected-array.js';

const HOUR = 3600;

/** What is read of a file of runs: by default all. */
interface WantedRun {
  /** When the run begins, in seconds since 1970-01-01 UTC. */
  readonly run?: number | undefined;
  /** The last run that counts, in place of `run`: those that begin later are left out. */
  readonly until?: number | undefined;
  /** The last lead, in hours. */
  readonly leadHours?: number | undefined;
}

/**
 * The file with one of its runs, and leads up to one alone. Throws OptionError where there is no such run or lead, and
 * for a file without them.
 */
export async function runWithin(file: ArrayFile, { run, until, leadHours }: WantedRun): Promise<ArrayFile> {
  if (run === undefined && until === undefined && leadHours === undefined) return file;
  const reader = arrayReader(file);
  const kept = new Map<string, Int32Array>();
  if (run !== undefined) {
    const { name, coordinate } = dimensionOf(file, 'runs', runDimension);
    kept.set(name, Int32Array.of(await runAt(reader, coordinate, run)));
  } else if (until !== undefined) {
    const { name, coordinate } = dimensionOf(file, 'runs', runDimension);
    const { seconds } = await readTimeValues(reader, coordinate);
    kept.set(
      name,
      Int32Array.from(seconds.keys()).filter((index) => seconds[index] <= until),
    );
  }
  if (leadHours !== undefined) {
    const lead = dimensionOf(file, 'leads', (all) => all.find(({ kind }) => kind === 'lead'));
    kept.set(lead.name, await leadsWithin(reader, lead.coordinate, leadHours));
  }
  const selected = (array: StoredArray) => {
    if (array.type === 'text' || !array.dimensions.some((name) => kept.has(name))) return array;
    const axes = array.dimensions.map((name, dimension): SelectedAxis => {
      const indices = kept.get(name);
      return indices === undefined ? { kind: 'all', dimension } : { kind: 'some', dimension, indices };
    });
    return selectedArray(toPlainArray(array), axes);
  };
  const { format, source, attributes, notices, notes, isArchive } = file;
  return {
    ...{ format, source, attributes, ...(notices && { notices }), ...(notes && { notes }) },
    ...(isArchive && { isArchive }),
    arrays: new Map(Array.from(file.arrays, ([name, array]) => [name, selected(array)])),
    close: () => file.close(),
  };
}

/** The dimension of runs, or of leads, that arrays of a file have, and its coordinate. Throws OptionError. */
function dimensionOf(
  file: ArrayFile,
  what: string,
  find: (dimensions: readonly ArrayDimension[]) => ArrayDimension | undefined,
): { readonly name: string; readonly coordinate: StoredArray } {
  for (const array of file.arrays.values()) {
    const { name, coordinate } = find(arrayDimensions(file, array)) ?? {};
    if (name !== undefined && coordinate !== undefined) return { name, coordinate };
  }
  throw new OptionError({ subject: file.source, problem: `has no ${what} to choose from`, allowed: 'all of it' });
}

async function runAt(reader: ArrayReader, coordinate: StoredArray, run: number): Promise<number> {
  const { seconds, calendar } = await readTimeValues(reader, coordinate);
  const index = seconds.indexOf(run);
  if (index >= 0) return index;
  const texts = Array.from(seconds, (time) => utcText(time, modelPart(calendar)));
  const subject = `${reader.file.source}, run`;
  throw new OptionError({ subject, problem: 'is not there', received: utcText(run), allowed: listedRuns(texts) });
}

async function leadsWithin(reader: ArrayReader, coordinate: StoredArray, leadHours: number): Promise<Int32Array> {
  const { seconds } = await readLeads(reader, coordinate, { time: 0, calendar: 'standard', zone: undefined });
  const last = seconds[seconds.length - 1] / HOUR;
  if (leadHours <= last) return Int32Array.from(seconds.keys()).filter((step) => seconds[step] <= HOUR * leadHours);
  const subject = `${reader.file.source}, lead`;
  throw new OptionError({ subject, problem: 'is beyond its runs', received: leadHours, allowed: `0 to ${last} hours` });
}

import { DataError, OptionError } from '../../errors.js';
import { fileName, type Given } from './file-origin.js';
import { horizonSource } from './horizon-source.js';
import { openFile } from './open-file.js';
import type { ClimatologyFile, OpenSource, ReadRequest, SourceVariable } from './open-source.js';
import type { EnsembleFile } from './opened-file.js';

/** More files than this are a mistake. */
const MAX_FILES = 30;

interface NamedFile {
  readonly given: Given;
  readonly file: EnsembleFile;
}

/**
 * Opens files together: files of different variables are shown one above the other, files of the same variable are
 * horizons of one timeline, the shortest first; a climatology is for comparison. Throws what opening a file throws, and
 * OptionError where there is no ensemble among them.
 */
export async function openFiles(given: readonly Given[]): Promise<OpenSource> {
  if (given.length === 0 || given.length > MAX_FILES) {
    const allowed = `1 to ${MAX_FILES} files`;
    throw new OptionError({ subject: 'files', problem: 'cannot be opened together', received: given.length, allowed });
  }
  const ensembles: NamedFile[] = [];
  const climatologies = new Map<string, ClimatologyFile>();
  for (const one of given) {
    const file = await openFile(one);
    if (file.kind === 'climatology') climatologies.set(file.variable, { path: file.path, table: file.table });
    else ensembles.push({ given: one, file });
  }
  if (ensembles.length === 0) {
    const problem = 'is a climatology, and no ensemble to compare with it is open';
    throw new OptionError({ subject: given[0].path, problem, allowed: 'the file of an ensemble together with it' });
  }
  assertSamePlaces(ensembles);
  const sorted = ensembles.sort((a, b) => a.file.lastDay - b.file.lastDay);
  const horizons = joinByHorizon(sorted);
  return horizonSource({
    origin: {
      kind: 'files',
      files: sorted.map(({ given: { path, url }, file }) => ({
        ...{ path, ...(url !== undefined && { url }), reader: file.reader },
        variables: file.variables.map(({ key }) => key),
        horizon: horizons.findIndex(({ files }) => files.includes(file)),
      })),
    },
    title: given.map(({ path }) => fileName(path)).join(', '),
    variables: eachOnce(sorted.flatMap(({ file }) => file.variables)),
    places: sorted[0].file.places,
    ...{ horizons, climatologies },
  });
}

/** Files of one horizon that hold different variables are one; the name is that of the metadata, or of the file. */
function joinByHorizon(files: readonly NamedFile[]) {
  const horizons: { name: string; members: NamedFile[] }[] = [];
  for (const named of files) {
    const keys = named.file.variables.map(({ key }) => key);
    const sharesNone = ({ members }: { members: NamedFile[] }) =>
      members.every(({ file }) => file.variables.every(({ key }) => !keys.includes(key)));
    const home = horizons.find((horizon) => isOfHorizon(horizon.members[0], named) && sharesNone(horizon));
    if (home === undefined) horizons.push({ name: named.file.horizon ?? fileName(named.given.path), members: [named] });
    else home.members.push(named);
  }
  return horizons.map(({ name, members }) => ({
    name,
    files: members.map(({ file }) => file),
    variables: members.flatMap(({ file }) => file.variables.map(({ key }) => key)),
    read: (request: ReadRequest) => {
      const holds = ({ file }: NamedFile) => file.variables.some(({ key }) => key === request.variable);
      return (members.find(holds) ?? members[0]).file.read(request);
    },
  }));
}

function isOfHorizon(a: NamedFile, b: NamedFile): boolean {
  return a.file.horizon === b.file.horizon && (a.file.horizon !== undefined || a.file.lastDay === b.file.lastDay);
}

function eachOnce(variables: readonly SourceVariable[]): SourceVariable[] {
  return [...new Map(variables.map((variable) => [variable.key, variable])).values()];
}

/** Files that are open together are of the same places. */
function assertSamePlaces([first, ...others]: readonly NamedFile[]): void {
  const count = first.file.places.latitude.length;
  const other = others.find(({ file }) => file.places.latitude.length !== count);
  if (other === undefined) return;
  throw new DataError({
    ...{ source: other.given.path, problem: 'has other places than the other files' },
    received: `${other.file.places.latitude.length} places`,
    allowed: `${count} ${count === 1 ? 'place' : 'places'}, as in ${first.given.path}`,
  });
}

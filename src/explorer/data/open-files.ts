import { DataError, OptionError } from '../../errors.js';
import { endingsOf } from '../../files/formats.js';
import { grib } from '../../files/grib/grib-format.js';
import { isStoreFile } from '../../files/zarr/zarr-format.js';
import { fileName, type Given, type GivenFile, nameList } from './file-origin.js';
import { horizonSource } from './horizon-source.js';
import { type Joinable, joinableAs, openFile } from './open-file.js';
import type { ClimatologyFile, OpenSource, ReadRequest, SourceVariable } from './open-source.js';
import type { EnsembleFile } from './opened-file.js';

/** More files than this are a mistake; files that are joined count as one. */
const MAX_FILES = 30;
const MAX_JOINED_FILES = 10_000;

/** The endings of GRIB files; without one, some files of a folder are read to find out what it holds. */
const ENDING = endingsOf([grib]);
const MAX_LOOKED_AT = 4;

interface NamedFile {
  readonly given: Given;
  /** Files that are read together with it. */
  readonly others: readonly GivenFile[];
  readonly file: EnsembleFile;
}

/**
 * Opens files together: files of different variables are shown one above the other, files of the same variable are
 * horizons of one timeline, the shortest first; a climatology is for comparison. GRIB files and files of arrays are one
 * ensemble where they make one, as files of members and steps do, and else horizons. Throws what opening a file throws, and
 * OptionError where there is no ensemble among them.
 */
export async function openFiles(opened: readonly Given[]): Promise<OpenSource> {
  const given = (await Promise.all(opened.map(gribOfFolder))).flat();
  const joined = await openJoined(given);
  const together = new Set<Given>(joined.flatMap(({ given: one, others }) => [one, ...others]));
  const single = given.filter((one) => !together.has(one));
  if (given.length === 0 || single.length > MAX_FILES) {
    const allowed = `1 to ${MAX_FILES} files`;
    throw new OptionError({ subject: 'files', problem: 'cannot be opened together', received: given.length, allowed });
  }
  const ensembles = [...joined];
  const climatologies = new Map<string, ClimatologyFile>();
  for (const one of single) {
    const file = await openFile(one);
    if (file.kind === 'climatology') climatologies.set(file.variable, { path: file.path, table: file.table });
    else ensembles.push({ given: one, others: [], file });
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
      files: sorted.map(({ given: { path, url }, others, file }) => ({
        ...{ path, ...(url !== undefined && { url }), form: file.form },
        others: others.map(({ path, url }) => ({ path, ...(url !== undefined && { url }) })),
        variables: file.variables.map(({ key }) => key),
        horizon: horizons.findIndex(({ files }) => files.includes(file)),
      })),
    },
    title: nameList(given.map(({ path }) => fileName(path))),
    variables: eachOnce(sorted.flatMap(({ file }) => file.variables)),
    places: sorted[0].file.places,
    models: [...new Set(sorted.flatMap(({ file: { models = [] } }) => models))],
    isReadByPlace: sorted.some(({ file }) => file.form !== 'table') && sorted[0].file.places.latitude.length > 1,
    ...{ horizons, climatologies },
  });
}

/** The GRIB files of a folder that has some, by name; else what is given. */
async function gribOfFolder(given: Given): Promise<readonly Given[]> {
  if (!('files' in given) || given.files === undefined) return [given];
  const files = (await given.files()).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (files.some(({ path }) => isStoreFile(path))) return [given];
  const looked = files.some(({ path }) => ENDING.test(path)) ? [] : files.slice(0, MAX_LOOKED_AT);
  if (looked.length > 0 && !(await Promise.all(looked.map(joinableAs))).includes('grib')) return [given];
  const grib: GivenFile[] = [];
  for (const file of files) if ((await joinableAs(file)) === 'grib') grib.push(file);
  return grib.length > 0 ? grib : [given];
}

/** The ensembles that some of the files are together. Throws OptionError where they are too many. */
async function openJoined(given: readonly Given[]): Promise<readonly NamedFile[]> {
  if (given.length > MAX_JOINED_FILES) {
    const [problem, allowed] = ['cannot be opened together', `up to ${MAX_JOINED_FILES}`];
    throw new OptionError({ subject: 'files', problem, received: given.length, allowed });
  }
  const found: Record<Joinable, GivenFile[]> = { grib: [], arrays: [] };
  for (const one of given.length > 1 ? given : []) {
    const kind = await joinableAs(one);
    if (kind !== undefined) found[kind].push(one as GivenFile);
  }
  const ofGrib = found.grib.length > 1 ? await ifOne(async () => [await openGrib(found.grib)]) : [];
  const ofArrays = found.arrays.length > 1 ? await ifOne(() => openArrayFiles(found.arrays)) : [];
  return [...ofGrib, ...ofArrays];
}

async function openGrib(files: readonly GivenFile[]): Promise<NamedFile> {
  const { openGribGroup } = await import('./grib-group.js');
  const [given, ...others] = files;
  return { given, others, file: await openGribGroup(files) };
}

async function openArrayFiles(files: readonly GivenFile[]): Promise<NamedFile[]> {
  const { openArrayGroups } = await import('./array-group.js');
  const groups = await openArrayGroups(files);
  return groups.map(({ files: [given, ...others], file }) => ({ given, others, file }));
}

/** Files of other runs, horizons or kinds are opened each by itself. */
async function ifOne(open: () => Promise<NamedFile[]>): Promise<NamedFile[]> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DataError || error instanceof OptionError) return [];
    throw error;
  }
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
    hasSteps: members.some(({ file }) => file.hasSteps),
    gridOf: (variable: string) => {
      const holding = members.find(({ file }) => file.variables.some(({ key }) => key === variable));
      const { grid } = holding?.file ?? {};
      return grid && ((as: string | undefined) => grid(variable, as));
    },
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

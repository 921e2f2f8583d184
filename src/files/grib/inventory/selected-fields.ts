import type { ArraySelection } from '../../array/array-selection.js';
import type { RandomAccess } from '../../array/random-access.js';
import type { GribFiles } from '../cube/grib-files.js';
import { addMessages, createIndex, type FieldIndex, readFiles, type Scanned, scanAll } from '../index-fields.js';
import { parseInventory } from './inventory-lines.js';
import { type HeaderMeaning, KnownNames } from './known-names.js';
import { otherParameter, readListed } from './read-listed.js';

/** The fields of files of which some are needed. */
export interface SelectedFields {
  readonly index: FieldIndex;
  /** Whether messages were left out, by index files. */
  readonly isPartial: boolean;
  /** Which index files were not used, and why; for people. */
  readonly notices: readonly string[];
}

/** Index files that are named in a notice. */
const EXAMPLES = 3;

/** What was read of a file. */
interface FileFields {
  readonly fields: readonly Scanned[];
  /** The index file beside it. */
  readonly source?: string;
  /** What headers say of the names in the index file, if it was used. */
  readonly meanings?: ReadonlyMap<string, HeaderMeaning>;
  /** Why it was not used. */
  readonly problem?: string;
}

/**
 * Finds the fields of all files that may be needed. Where an index file stands beside a file, and is right as far as
 * headers were read, messages of other parameters are not read; all headers of other files are. Throws FileError.
 */
export async function selectFields(files: GribFiles, { mayNeed }: ArraySelection): Promise<SelectedFields> {
  const index = createIndex();
  const known = new KnownNames();
  const problems: string[] = [];
  let isPartial = false;
  await readFiles(
    files,
    (access, file) => readFields(files, access, file, known, mayNeed),
    async (file, read) => {
      const other = read.meanings && known.add(read.meanings);
      const problem = read.problem ?? (other && otherParameter(other));
      if (problem !== undefined) problems.push(`${read.source}: ${problem}`);
      isPartial ||= read.meanings !== undefined && other === undefined;
      addMessages(index, file, other === undefined ? read.fields : await files.use(file, scanAll));
    },
  );
  const notices = [...problemNotices(problems), ...ambiguousNotices(known.ambiguous)];
  if (!isPartial) return { index, isPartial, notices };
  const fields = index.fields.filter(({ parameter }) => mayNeed(parameter.shortName, parameter.standardName));
  return { index: { ...index, fields }, isPartial, notices };
}

async function readFields(
  files: GribFiles,
  access: RandomAccess,
  file: number,
  known: KnownNames,
  mayNeed: ArraySelection['mayNeed'],
): Promise<FileFields> {
  const inventory = await files.readInventory?.(file);
  if (inventory === undefined) return { fields: await scanAll(access) };
  const { source, text } = inventory;
  const messages = parseInventory(text);
  const found = typeof messages === 'string' ? messages : await readListed(access, messages, known, mayNeed);
  return typeof found === 'string' ? { source, problem: found, fields: await scanAll(access) } : { source, ...found };
}

function problemNotices(unused: readonly string[]): string[] {
  if (unused.length === 0) return [];
  const [what, of] = unused.length === 1 ? ['index file does', 'its file'] : ['index files do', 'their files'];
  const more = unused.length > EXAMPLES ? `; and ${unused.length - EXAMPLES} more` : '';
  return [
    `${unused.length} ${what} not fit, and all headers of ${of} are read: ${unused.slice(0, EXAMPLES).join('; ')}${more}`,
  ];
}

function ambiguousNotices(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > EXAMPLES ? `; and ${names.length - EXAMPLES} more` : '';
  return [
    `index files list different parameters by the same name, of which all are read: ${names.slice(0, EXAMPLES).join('; ')}${more}`,
  ];
}

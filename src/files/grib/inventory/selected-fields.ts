import { isPlumecastError } from '../../../errors.js';
import type { ArraySelection } from '../../array/array-selection.js';
import type { ByteSpan, RandomAccess } from '../../array/random-access.js';
import type { GribFiles } from '../cube/grib-files.js';
import { addMessages, createIndex, type FieldIndex, readFieldProduct, readFiles, scanAll } from '../index-fields.js';
import type { Grib1Field, GribField } from '../messages.js';
import { levelKey } from '../product/level.js';
import { findParameter } from '../product/parameter.js';
import { readMessageAt, type Scanned } from '../scan-messages.js';
import { HEADER_BYTES, SlidingWindow } from '../sliding-window.js';
import { type ListedMessage, parseInventory } from './inventory-lines.js';
import { type HeaderMeaning, KnownNames } from './known-names.js';

/** The fields of files of which some are needed. */
interface SelectedFields {
  readonly index: FieldIndex;
  /** Whether messages were left out, by index files. */
  readonly isPartial: boolean;
  /** Which index files were not used, and why; for people. */
  readonly notices: readonly string[];
}

/** The bytes that a message ends with. */
const END_BYTES = 4;
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
  const index = createIndex(files);
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

/** A field that was read, by the name that its index file has for it. */
interface NamedField extends HeaderMeaning {
  readonly name: string;
  readonly field: GribField | Grib1Field;
}

/** What was read of a file by its index file. */
interface ListedFields {
  /** The fields that may be needed. */
  readonly fields: readonly (GribField | Grib1Field)[];
  /** What the headers say of the names in the index file. */
  readonly meanings: ReadonlyMap<string, HeaderMeaning>;
}

/**
 * Reads the fields of a file that may be needed, by what an index file lists. Besides the messages that may be needed,
 * those are read that show whether the index is right: the last one, those that are listed twice, and some of each name
 * whose meaning is not known, or of all names where no message is needed. Returns what is wrong where a message that
 * was read is not as listed. Throws FileError.
 */
async function readListed(
  access: RandomAccess,
  messages: readonly ListedMessage[],
  known: KnownNames,
  mayNeed: ArraySelection['mayNeed'],
): Promise<ListedFields | string> {
  if (messages[0].offset !== 0) return `it lists no message before byte ${messages[0].offset}`;
  const window = new SlidingWindow(access);
  const places = messagesByName(messages);
  const found = new Map<number, readonly NamedField[]>();
  const meanings = new Map<string, HeaderMeaning>();
  let next = [messages.length - 1, ...listedTwice(messages), ...choose(places, known, meanings, false)];
  while (next.length > 0) {
    await access.fetch?.(next.flatMap((number) => headerSpans(access, messages, number)));
    for (const number of [...new Set(next)].sort((a, b) => a - b)) {
      const fields = await readAsListed(window, messages, number, mayNeed);
      if (typeof fields === 'string') return fields;
      found.set(number, fields);
      const other = addMeanings(fields, meanings);
      if (other !== undefined) return otherParameter(other);
    }
    const isProofNeeded = ![...found.values()].flat().some(({ isNeeded }) => isNeeded);
    next = choose(places, known, meanings, isProofNeeded).filter((number) => !found.has(number));
  }
  const ordered = [...found].sort(([a], [b]) => a - b);
  const fields = ordered.flatMap(([, named]) => named.flatMap(({ field, isNeeded }) => (isNeeded ? [field] : [])));
  await access.fetch?.(fields);
  return { fields, meanings };
}

/** The bytes of a message that show what it is and whether it is as listed: its first and its last ones. */
function headerSpans({ size }: RandomAccess, messages: readonly ListedMessage[], number: number): ByteSpan[] {
  const { offset, end = messages[number + 1]?.offset ?? size } = messages[number];
  if (!(offset < end && end <= size)) return [];
  const length = Math.min(HEADER_BYTES, end - offset);
  const last = Math.max(offset, end - END_BYTES);
  return [
    { offset, length },
    { offset: last, length: Math.min(HEADER_BYTES, size - last) },
  ];
}

/** What is wrong with an index file of which headers give a name another meaning. */
function otherParameter(name: string): string {
  return `a message that is listed as ${name} has another parameter than others of that name`;
}

/** The numbers of the messages, from 0, that have a field of each name. */
function messagesByName(messages: readonly ListedMessage[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [number, { fields }] of messages.entries()) {
    for (const { name } of fields) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [number]);
      else known.push(number);
    }
  }
  return places;
}

/** The numbers of messages of which an index file says the same. */
function listedTwice(messages: readonly ListedMessage[]): number[] {
  const texts = new Map<string, number>();
  return messages.flatMap(({ fields }, number) =>
    fields.flatMap(({ text }) => {
      const before = texts.get(text);
      texts.set(text, number);
      return before === undefined ? [] : [before, number];
    }),
  );
}

/** The messages that have to be read as far as names are known; with `isProofNeeded` one of each name at least. */
function choose(
  places: ReadonlyMap<string, readonly number[]>,
  known: KnownNames,
  meanings: ReadonlyMap<string, HeaderMeaning>,
  isProofNeeded: boolean,
): readonly number[] {
  return [...places].flatMap(([name, numbers]) => {
    const which = known.toRead(name, meanings.get(name));
    if (which === 'all') return numbers;
    if (which === 'some') return [numbers[0], numbers[numbers.length - 1]];
    return isProofNeeded ? [numbers[0]] : [];
  });
}

/** Reads a message; returns what is wrong where it is not as listed. */
async function readAsListed(
  window: SlidingWindow,
  messages: readonly ListedMessage[],
  number: number,
  mayNeed: ArraySelection['mayNeed'],
): Promise<NamedField[] | string> {
  const { offset, end, fields: listed } = messages[number];
  const found = await readMessageAt(window, { source: window.source, message: number + 1, offset });
  if (found === undefined) return `message ${number + 1} cannot be read at byte ${offset}`;
  if (found.end !== (end ?? messages[number + 1]?.offset ?? window.size))
    return `message ${number + 1} ends at byte ${found.end}, and not where the next one or the end of the file is listed`;
  if (found.fields.length !== listed.length) return `message ${number + 1} has ${found.fields.length} fields`;
  const named: NamedField[] = [];
  for (const [i, field] of found.fields.entries()) {
    const meaning = meaningOf(field, mayNeed);
    const { name, reference } = listed[i];
    if (meaning === undefined) return `message ${number + 1} is damaged`;
    if (reference !== undefined && meaning.reference !== undefined && reference !== meaning.reference)
      return `message ${number + 1} has another reference time`;
    named.push({ ...meaning, name, field });
  }
  return named;
}

/** What a header says; undefined where it is damaged. */
function meaningOf(
  field: GribField | Grib1Field,
  mayNeed: ArraySelection['mayNeed'],
): (HeaderMeaning & { readonly reference: number | undefined }) | undefined {
  try {
    const product = readFieldProduct(field);
    if (typeof product === 'string') return { parameter: product, isNeeded: false, reference: undefined };
    const { shortName, standardName } = findParameter(product);
    const { parameter, level, reference } = product;
    const meaning = [shortName, ...Object.values(parameter), levelKey(level)].join();
    return { parameter: meaning, isNeeded: mayNeed(shortName, standardName), reference };
  } catch (error) {
    if (isPlumecastError(error, 'format')) return undefined;
    throw error;
  }
}

/** Adds what fields say of the names of a file; returns a name that had another meaning. */
function addMeanings(fields: readonly NamedField[], meanings: Map<string, HeaderMeaning>): string | undefined {
  for (const { name, parameter, isNeeded } of fields) {
    if ((meanings.get(name)?.parameter ?? parameter) !== parameter) return name;
    meanings.set(name, { parameter, isNeeded });
  }
  return undefined;
}

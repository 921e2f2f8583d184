import { assertKind } from '../../check/option-checks.js';
import { joinHistory } from '../../climate/join-history.js';
import { cellsAtPlaces, type NamedPlaces } from '../../ensemble/align-ensembles.js';
import { DataError, OptionError } from '../../errors.js';
import { isAvailable } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { axisOf } from '../source/dataset.js';
import type { HistoryPart } from '../source/folder/store-part.js';
import { assertHistoryPlaces } from './assert-kept.js';
import { type DataFile, readFile } from './data-file.js';
import { placeBlocks, placeValues } from './place-blocks.js';
import { reportBeyond } from './report-beyond.js';
import { assertInput, assertWriter, type ReplaceOptions, type StoreWriter } from './store-writer.js';

/** Files of a history for a store. */
export interface HistoryInput extends Pick<ReplaceOptions, 'replace'> {
  /**
   * Each has one variable and one member; several files of a variable are pieces of it, such as one a year. All have
   * the same places.
   */
  readonly files: readonly DataFile[];
  /** Additional variables that files may name. */
  readonly variables?: readonly Variable[];
  /** Called with what is left out, and why. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Adds days of a history to a store: the days that it has stay, and values of days that it has already replace these, also
 * at some of its places only. With `replace` the files are all of a variable. Only the files of one variable are held in
 * memory. Throws DataError for files that do not belong together, or whose values cannot be used, and OptionError where
 * there are none, or the store has other places.
 */
export async function ingestHistory(writer: StoreWriter, part: HistoryPart, input: HistoryInput): Promise<void> {
  assertWriter(writer, 'write', 'append', 'storedPart');
  assertKind('part', part, 'text');
  assertInput(input);
  const { replace } = input;
  const { places, variables } = await catalogHistory(part, input);
  for (const { variable, files } of variables.values()) {
    const pieces = [];
    for (const file of files) {
      const { part: read } = await readFile(file, input.variables, places);
      pieces.push({ field: read.field, source: file.source });
    }
    const field = pieces.length === 1 ? pieces[0].field : joinHistory(pieces);
    const { slug, units } = variable;
    const held = replace ? undefined : await writer.storedPart(part);
    const cells = held && cellsAtPlaces(held.places, places);
    if (cells !== undefined) assertHistoryPlaces(part, cells, places);
    // Of a larger grid all variables have to be given.
    const isWithin = cells?.filter((cell) => cell >= 0).length === places.latitude.length;
    const order = isWithin ? cells : undefined;
    const blocks = reportBeyond(part, slug, placeBlocks(field, order), input.onNotice);
    const valuesAt = (some: Int32Array) => placeValues(field, some, order);
    const series = { slug, units, axis: axisOf(field), places, blocks, valuesAt };
    if (held === undefined || order === undefined) await writer.write(part, series);
    else await writer.append(part, { ...series, places: held.places });
  }
}

interface HistoryCatalog {
  readonly places: NamedPlaces;
  readonly variables: ReadonlyMap<string, { readonly variable: Variable; readonly files: DataFile[] }>;
}

async function catalogHistory(
  historyPart: HistoryPart,
  { files, variables: own, onNotice }: HistoryInput,
): Promise<HistoryCatalog> {
  const variables = new Map<string, { variable: Variable; files: DataFile[] }>();
  let places: NamedPlaces | undefined;
  for (const file of files) {
    const { source } = file;
    const { variable, part, ensemble } = await readFile(file, own, places);
    for (const note of ensemble.notes ?? []) onNotice?.(`${source}: ${note}`);
    assertSingleMember(part.field.members.length, source);
    const reason = exclusionReason(variable, historyPart);
    if (reason !== undefined) {
      onNotice?.(`${source}: ${variable.slug} is left out: ${reason}`);
      continue;
    }
    places ??= { source, latitude: part.latitude, longitude: part.longitude };
    const known = variables.get(variable.slug) ?? { variable, files: [] };
    known.files.push(file);
    variables.set(variable.slug, known);
  }
  if (places !== undefined) return { places, variables };
  throw new OptionError({
    subject: 'files',
    problem: 'has no usable file',
    allowed: 'one or more for each variable',
  });
}

function exclusionReason(variable: Variable, part: HistoryPart): string | undefined {
  if (variable.derived) return 'it is computed from other variables';
  if (part.startsWith('fine-') && !variable.downscalable) return 'it has no 1 km data';
  return isAvailable(variable, 'history') ? undefined : 'it is not part of histories';
}

function assertSingleMember(members: number, source: string): void {
  if (members === 1) return;
  throw new DataError({
    source,
    problem: 'is an ensemble, not a history',
    received: `${members} members`,
    allowed: 'one',
  });
}

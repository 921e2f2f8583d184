import { assertKind } from '../../check/option-checks.js';
import { beginWork, type Work, type WorkOptions } from '../../check/work.js';
import { type HistoryPiece, joinHistory } from '../../climate/join-history.js';
import { cellsAtPlaces, type NamedPlaces } from '../../ensemble/align-ensembles.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError, OptionError } from '../../errors.js';
import { isAvailable } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { Dataset } from '../source/dataset.js';
import { axisOfSegments } from '../source/folder/history-segments.js';
import type { HistoryPart } from '../source/folder/store-part.js';
import { assertHistoryPlaces } from './assert-kept.js';
import { assertValues } from './assert-values.js';
import { type Cells, fillPlaces } from './daily-values.js';
import { type DataFile, useFile } from './data-file.js';
import { countBlocks, placedSeries } from './placed-series.js';
import { reportBeyond } from './report-beyond.js';
import {
  assertInput,
  assertWriter,
  blockBytes,
  type MemoryOptions,
  type PrecisionOptions,
  precisionOf,
  type ReplaceOptions,
  type StoreWriter,
} from './store-writer.js';

/** Files of a history for a store. Progress counts the values of their days. */
export interface HistoryInput extends Pick<ReplaceOptions, 'replace'>, MemoryOptions, PrecisionOptions, WorkOptions {
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
 * at some of its places only. With `replace` the files are all of a variable. Files of arrays are read some
 * places at a time. Throws DataError for files that do not belong together, or whose values cannot be used, and OptionError where
 * there are none, or the store has other places.
 */
export async function ingestHistory(writer: StoreWriter, part: HistoryPart, input: HistoryInput): Promise<void> {
  assertWriter(writer, 'write', 'append', 'storedPart');
  assertKind('part', part, 'text');
  assertInput(input);
  const { work, others } = beginWork(input, 'values');
  await work.run(() => ingest(writer, part, others, work));
}

async function ingest(writer: StoreWriter, part: HistoryPart, input: HistoryInput, work: Work): Promise<void> {
  const { replace } = input;
  const { places, variables } = await catalogHistory(part, input);
  const days = [...variables.values()].map(({ files }) => axisOfSegments(files).days);
  work.expect(days.reduce((sum, count) => sum + count, 0) * places.latitude.length);
  for (const { variable, files } of variables.values()) {
    const { slug, units } = variable;
    const held = replace ? undefined : await writer.storedPart(part);
    const cells = held && cellsAtPlaces(held.places, places);
    if (cells !== undefined) assertHistoryPlaces(part, cells, places);
    // Of a larger grid all variables have to be given.
    const isWithin = cells?.filter((cell) => cell >= 0).length === places.latitude.length;
    const isSameGrid = isWithin && cells?.length === places.latitude.length;
    const like = isSameGrid ? { ...places, ...coordinatesOf(held as Dataset) } : places;
    const order = isWithin && !isSameGrid ? cells : undefined;
    const all = { cell: 0, cells: places.latitude.length };
    const runs = order === undefined ? await historyRuns(files, like, input) : [all];
    const axis = axisOfSegments(files);
    const read = (run: Cells, into: Float32Array) => readPieces(files, like, input, run, into);
    const { blocks, sample } = placedSeries({ width: axis.days, runs, read }, order);
    const sources = files.map(({ file }) => file.source).join(', ');
    const counted = assertValues(sources, countBlocks(work, blocks, axis.days));
    const known = reportBeyond(part, slug, counted, input.onNotice);
    const stated = files.map(({ file: { source, state } }) => state && [source, state]);
    const series = {
      ...{ slug, units, axis, places: isWithin ? (held as Dataset).places : places, blocks: known, sample },
      key: stated.includes(undefined) ? undefined : JSON.stringify(stated),
      onNotice: input.onNotice,
    };
    const rounded = { ...series, precision: precisionOf(input, variable) };
    if (held === undefined || !isWithin) await writer.write(part, rounded);
    else await writer.append(part, rounded);
  }
}

function coordinatesOf({ places: { latitude, longitude } }: Dataset): Places {
  return { latitude, longitude };
}

/** Fills an array with some places of all files of a variable, joined. */
async function readPieces(
  files: readonly HistoryFile[],
  like: NamedPlaces,
  { variables }: HistoryInput,
  run: Cells,
  into: Float32Array,
): Promise<void> {
  if (files.length === 1) {
    const [{ file, days }] = files;
    await useFile(file, { variables, like }, (content) => content.readPlaces(run, { day: 0, days }, into));
    return;
  }
  const pieces: HistoryPiece[] = [];
  for (const { file } of files) {
    const field = await useFile(file, { variables, like }, (content) => content.read(run));
    pieces.push({ field, source: file.source });
  }
  const field = joinHistory(pieces);
  fillPlaces(field, { day: 0, days: field.days }, into);
}

/** The runs of places that are read at a time: all where they are few, else as the longest file is best read. */
async function historyRuns(
  files: readonly HistoryFile[],
  like: NamedPlaces,
  input: HistoryInput,
): Promise<readonly Cells[]> {
  const cells = like.latitude.length;
  const days = files.reduce((sum, file) => sum + file.days, 0);
  const bytes = blockBytes(input);
  if (cells * days * Float32Array.BYTES_PER_ELEMENT <= bytes) return [{ cell: 0, cells }];
  const longest = files.reduce((a, b) => (b.days > a.days ? b : a));
  const share = longest.days / days;
  return useFile(longest.file, { variables: input.variables, like }, (content) => content.blocks(bytes * share));
}

/** A file of a history, and its days. */
interface HistoryFile {
  readonly file: DataFile;
  readonly firstDay: number;
  readonly days: number;
}

interface HistoryCatalog {
  readonly places: NamedPlaces;
  readonly variables: ReadonlyMap<string, { readonly variable: Variable; readonly files: HistoryFile[] }>;
}

async function catalogHistory(
  historyPart: HistoryPart,
  { files, variables: own, onNotice }: HistoryInput,
): Promise<HistoryCatalog> {
  const variables = new Map<string, { variable: Variable; files: HistoryFile[] }>();
  let places: NamedPlaces | undefined;
  for (const file of files) {
    const { source } = file;
    const head = await useFile(file, { variables: own, like: places }, (content) => {
      for (const note of content.notes ?? []) onNotice?.(`${source}: ${note}`);
      assertSingleMember(content.members, source);
      const { variable, latitude, longitude, firstDay, days } = content;
      return { variable, firstDay, days, places: { source, latitude, longitude } };
    });
    const { variable, firstDay, days } = head;
    const reason = exclusionReason(variable, historyPart);
    if (reason !== undefined) {
      onNotice?.(`${source}: ${variable.slug} is left out: ${reason}`);
      continue;
    }
    places ??= head.places;
    const known = variables.get(variable.slug) ?? { variable, files: [] };
    known.files.push({ file, firstDay, days });
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

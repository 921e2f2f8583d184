import type { Work } from '../../check/work.js';
import { cellsAtPlaces } from '../../ensemble/align-ensembles.js';
import { DataError } from '../../errors.js';
import { type Axis, coarsestPrecision, type Dataset } from '../source/dataset.js';
import type { Series } from '../store/write-blocks.node.js';
import { type GivenRun, isPartOf, LostValues } from './assert-kept.js';
import { assertValues } from './assert-values.js';
import type { Cells } from './daily-values.js';
import { type FileContent, useFile } from './data-file.js';
import type { CatalogEntry } from './forecast-catalog.js';
import type { ForecastInput } from './forecast-input.js';
import { countBlocks, type PlaceRuns, placedSeries } from './placed-series.js';
import { reportBeyond } from './report-beyond.js';
import { blockBytes, precisionOf, type StoreWriter } from './store-writer.js';
import { describeUnusedDays, usableSpan } from './usable-days.js';

/** The run that a variable is of. */
export type RunOfVariable = Omit<GivenRun, 'entries'>;

/** What is said of how values are written. */
export type WritingOptions = Pick<ForecastInput, 'memory' | 'onNotice' | 'precision' | 'replace' | 'variables'>;

/** Writes a variable of a run, at all places of the store's where it is of the same run. */
export async function writeVariable(
  writer: Pick<StoreWriter, 'storedBefore' | 'write'>,
  { part, horizon, initTime, initTimeBefore, places }: RunOfVariable,
  { file, variable }: Pick<CatalogEntry, 'file' | 'variable'>,
  input: WritingOptions,
  work: Work,
): Promise<void> {
  const isKept = initTime === initTimeBefore && input.replace !== true;
  const held = isKept ? await writer.storedBefore(part) : undefined;
  const cells = held && cellsAtPlaces(held.places, places);
  const isRegion = cells !== undefined && isPartOf(cells, places);
  const isSameGrid = cells?.length === places.latitude.length && cells.every((cell) => cell >= 0);
  const like = isSameGrid ? (held as Dataset).places : places;
  const { source } = file;
  const { slug } = variable;
  const { latitude, longitude } = like;
  await useFile(file, { variables: input.variables, like: { source, latitude, longitude } }, async (content) => {
    const used = { variable, horizon, initTime, source };
    for (const text of describeUnusedDays(content, used)) input.onNotice?.(`${source}: ${text}`);
    const runs = isRegion ? [allOf(content)] : content.blocks(blockBytes(input));
    const lost = isKept ? LostValues.of(held, slug) : undefined;
    const { firstDay, lastDay } = usableSpan(content, used);
    const axis = { firstDay, days: lastDay - firstDay + 1, members: content.members };
    const { blocks, sample } = placedSeries(runsOfFile(content, axis, runs, lost, work), isRegion ? cells : undefined);
    const counted = assertValues(source, countBlocks(work, blocks, axis.days * axis.members));
    const checked = withCheck(reportBeyond(part, slug, counted, input.onNotice), () => lost?.assertNone(part));
    const of = isRegion ? (held as Dataset).places : like;
    const precision = precisionOf(input, variable);
    // What depends on the values before is made from them, too.
    const before = isRegion || lost !== undefined ? held?.revision : undefined;
    const key = file.state && JSON.stringify([source, file.state, initTime, before]);
    const { onNotice } = input;
    const { units } = variable;
    const own: Series = { slug, units, axis, places: of, blocks: checked, sample, precision, key, onNotice };
    await writer.write(part, isRegion ? withRest(own, held as Dataset, cells, source) : own);
  });
}

function allOf({ latitude }: FileContent): Cells {
  return { cell: 0, cells: latitude.length };
}

/** The days of an axis from a file; what the store would lose of them is added to `lost`. */
function runsOfFile(
  content: FileContent,
  axis: Axis,
  runs: readonly Cells[],
  lost: LostValues | undefined,
  { signal }: Work,
): PlaceRuns {
  const { latitude, longitude } = content;
  const span = { day: axis.firstDay - content.firstDay, days: axis.days };
  const read = async (run: Cells, into: Float32Array) => {
    await content.readPlaces(run, span, into, { signal });
    const [from, to] = [run.cell, run.cell + run.cells];
    const places = { latitude: latitude.subarray(from, to), longitude: longitude.subarray(from, to) };
    await lost?.add(into, axis, places);
  };
  return { width: axis.days * axis.members, runs, read };
}

/** Passes blocks on, and checks at their end. */
async function* withCheck(blocks: AsyncIterable<Float32Array>, check: () => void): AsyncGenerator<Float32Array> {
  yield* blocks;
  check();
}

/** The values of a region, and at its other places the store's. Throws DataError where their axes differ. */
function withRest(series: Series, held: Dataset, cells: Int32Array, source: string): Series {
  const { slug, axis } = series;
  const before = held.variables.get(slug);
  if (before === undefined) return series;
  if (before.firstDay !== axis.firstDay || before.days !== axis.days || before.members !== axis.members) {
    const described = ({ days, members }: Axis) => `${days} days of ${members} members`;
    throw new DataError({
      source,
      problem: `has other days or members of ${slug} than the other places of its run`,
      received: described(axis),
      allowed: described(before),
    });
  }
  const width = axis.days * axis.members;
  async function* blocks() {
    let cell = 0;
    for await (const block of series.blocks) {
      for (let at = 0; at < block.length; at += width, cell++) {
        if (cells[cell] < 0) await held.read(slug, cell, block.subarray(at, at + width) as Float32Array<ArrayBuffer>);
      }
      yield block;
    }
  }
  return { ...series, axis: { ...axis, precision: coarsestPrecision([series, before]) }, blocks: blocks() };
}

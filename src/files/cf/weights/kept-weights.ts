import type { Table } from 'apache-arrow';
import { DataError, FormatError } from '../../../errors.js';
import { columnOf } from '../../../table/arrow/table-schema.js';
import { createTable, integers, numbers, textDictionary, texts } from '../../../table/build/create-table.js';
import { encodeTable } from '../../encode-tables.js';
import { readTable } from '../../read-table.js';
import type { CellAreas, CellShapes } from '../../regions/overlap.js';
import type { Regions } from '../../regions/region.js';
import { NumbersDigest } from './numbers-digest.js';
import { areasOfCells, type RegionWeights, regionWeights, wholeAreas } from './region-weights.js';

/** Where the weights of regions are kept from one run to the next, such as a file. */
export interface WeightsCache {
  /** The name in messages. Default: `weights`. */
  readonly source?: string;
  /** The bytes that were written; undefined where there are none yet. */
  read(): Promise<Uint8Array | undefined>;
  write(bytes: Uint8Array): Promise<void>;
}

/** What a cache states of its weights, in the metadata of its table. */
const [GRID, REGIONS, CONTENT, COVERED] = ['grid', 'regions', 'content', 'covered'];
const MEANING = 'area of each cell that a region has, in steradians; cells of a run have the same';

/**
 * The weights of regions, from a cache where one is given; where it has none, they are computed and written to it. Both give the same values
 * to the last bit. Throws DataError for weights of another grid, and of other regions, FormatError for what is damaged
 * or something else, and what computing them throws.
 */
export async function keptWeights(
  cache: WeightsCache | undefined,
  shapes: CellShapes,
  cells: number,
  regions: Regions,
  ofGrid: string,
): Promise<RegionWeights> {
  const all = areasOfCells(shapes);
  if (cache === undefined) return regionWeights(all, cells, regions, ofGrid);
  const known = new Map([
    [GRID, gridDigest(shapes, all, cells)],
    [REGIONS, regionsDigest(regions)],
  ]);
  const bytes = await cache.read();
  if (bytes !== undefined) return readWeights(bytes, cache.source ?? 'weights', known, { cells, regions, ofGrid });
  const made = regionWeights(all, cells, regions, ofGrid);
  await cache.write(await encodeTable(tableOfWeights(made, regions, known), 'arrow'));
  return made;
}

function gridDigest(shapes: CellShapes, all: CellAreas, cells: number): string {
  const digest = new NumbersDigest().text(shapes.kind).numbers(all.areas(cells));
  if (shapes.kind === 'rows') {
    for (const { south, north, west, east, cells: own } of shapes.rows) {
      digest.numbers(Float64Array.of(south, north)).numbers(west).numbers(east).numbers(own);
    }
    return digest.toString();
  }
  const { outlines, areGreatCircles, hasParallels = false } = shapes;
  digest.numbers(outlines.latitude).numbers(outlines.longitude);
  return digest.text(`${areGreatCircles} ${hasParallels}`).toString();
}

function regionsDigest({ names, shapes }: Regions): string {
  const digest = new NumbersDigest();
  for (const [r, { edges }] of shapes.entries()) digest.text(names[r]).numbers(edges.ends).numbers(edges.next);
  return digest.toString();
}

function tableOfWeights(
  { weights: { starts, first, count, weight }, covered }: RegionWeights,
  { names }: Regions,
  known: ReadonlyMap<string, string>,
): Table {
  const region = new Int32Array(first.length);
  for (let r = 0; r < names.length; r++) region.fill(r, starts[r], starts[r + 1]);
  const columns = [
    texts('region', region, textDictionary(names)),
    integers('first_cell', first),
    integers('cells', count),
    numbers('weight', weight),
  ];
  const stated = JSON.stringify(Array.from(covered));
  const content = contentDigest(region, { first, count, weight }, stated);
  return createTable(columns, new Map([['weights', MEANING], ...known, [COVERED, stated], [CONTENT, content]]));
}

type Runs = Pick<RegionWeights['weights'], 'first' | 'count' | 'weight'>;

function contentDigest(region: Int32Array, { first, count, weight }: Runs, covered: string): string {
  return new NumbersDigest().numbers(region).numbers(first).numbers(count).numbers(weight).text(covered).toString();
}

async function readWeights(
  bytes: Uint8Array,
  source: string,
  known: ReadonlyMap<string, string>,
  { cells, regions, ofGrid }: { readonly cells: number; readonly regions: Regions; readonly ofGrid: string },
): Promise<RegionWeights> {
  const damaged = (cause?: unknown) =>
    new FormatError({
      ...{ subject: source, problem: 'is no file of weights, or is damaged', cause },
      allowed: 'weights that were kept by this option; without the file they are computed again',
    });
  const table = await readTable(bytes, { source }).catch((cause: unknown) => Promise.reject(damaged(cause)));
  const { metadata } = table.schema;
  if (metadata.get('weights') !== MEANING) throw damaged();
  for (const [what, digest] of known) {
    if (metadata.get(what) === digest) continue;
    throw new DataError({
      ...{ source, problem: `has weights of ${what === GRID ? 'another grid' : 'other regions'}` },
      allowed: `weights of ${what === GRID ? `the grid of ${ofGrid}` : `the regions of ${regions.source}`}, or another file`,
    });
  }
  try {
    const [region, first, count] = ['region', 'first_cell', 'cells'].map((name) => codesOf(table, name));
    const weight = Float64Array.from(columnOf(table, 'weight').toArray() as Float64Array);
    const stated = metadata.get(COVERED) as string;
    if (contentDigest(region, { first, count, weight }, stated) !== metadata.get(CONTENT)) throw damaged();
    const starts = new Int32Array(regions.names.length + 1);
    for (const one of region) starts[one + 1]++;
    for (let r = 0; r < regions.names.length; r++) starts[r + 1] += starts[r];
    const covered = Float64Array.from(JSON.parse(stated) as number[]);
    return { weights: { cells, starts, first, count, weight }, whole: wholeAreas(regions), covered };
  } catch (cause) {
    throw cause instanceof FormatError ? cause : damaged(cause);
  }
}

/** The whole numbers of a column; of texts which of its dictionary each is. */
function codesOf(table: Table, name: string): Int32Array {
  const data = columnOf(table, name).data.map(({ values }) => values as Int32Array);
  const all = new Int32Array(data.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const values of data) {
    all.set(values, at);
    at += values.length;
  }
  return all;
}

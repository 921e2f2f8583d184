import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { Block } from '../../src/files/cf/grid-ensemble.js';
import { gridEnsemble } from '../../src/files/index.js';
import {
  computeBlocks,
  computeResults,
  isFasterAlone,
  openComputedPieces,
  planBlocks,
} from '../../src/input/compute-grid.js';
import { blocksInPieces, divideGrid } from '../../src/input/grid-pieces.js';
import { GridStatistics } from '../../src/input/grid-statistics.js';
import { checkRequest } from '../../src/input/input-request.js';
import type { ResultBuffer } from '../../src/input/result-buffer.js';
import { coordinates, memoryFile } from '../files/cf/memory-file.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grid-pieces-'));
afterAll(() => rmSync(folder, { recursive: true }));
let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const [members, days, rows, width] = [4, 31, 6, 7];

/** Weekly statistics of a grid that is stored in chunks; its first days are not a complete week. */
async function weekly(chunk: readonly number[] | undefined): Promise<GridStatistics> {
  const values = Float32Array.from({ length: members * days * rows * width }, (_, i) => (i * 7919) % 101);
  const file = memoryFile({
    ...coordinates(
      {
        time: Array.from({ length: days }, (_, day) => day),
        latitude: Array.from({ length: rows }, (_, row) => 50 - row),
        longitude: Array.from({ length: width }, (_, column) => column),
      },
      { units: 'days since 2026-03-01' },
    ),
    precipitation: {
      ...{ type: 'float32' as const, chunk, values, attributes: { units: 'mm' } },
      dimensions: { member: members, time: days, latitude: rows, longitude: width },
    },
  });
  const ensemble = await gridEnsemble(file);
  const request = checkRequest({ statistics: { granularity: 'weekly' }, values: {} }, 'test.nc');
  return new GridStatistics(core, ensemble, request, { source: 'test.nc', report: () => {} });
}

const [maps, series] = [
  [1, 1, rows, width],
  [members, days, 2, width],
];

/** How often a piece has each cell and day of the windows. */
function counts(pieces: readonly Block[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { cell, cells, day, days: length } of pieces) {
    for (let c = cell; c < cell + cells; c++)
      for (let d = day; d < day + length; d++) found.set(`${c} ${d}`, (found.get(`${c} ${d}`) ?? 0) + 1);
  }
  return found;
}

/** All bytes of the results of a grid. */
function bytesOf(statistics: GridStatistics, results: ResultBuffer): Buffer {
  const box = { window: 0, windows: results.windows, cell: 0, cells: results.cells };
  return Buffer.concat(
    statistics.columns.map((_, column) => Buffer.from(results.read(column, box).buffer as ArrayBuffer)),
  );
}

describe('pieces of a grid', () => {
  it('are weeks where a chunk is a map, and cells where a chunk is a series', async () => {
    const weeks = divideGrid(await weekly(maps), 3);
    expect(weeks.every(({ cells }) => cells === rows * width)).toBe(true);
    const cells = divideGrid(await weekly(series), 3);
    expect(cells.every((piece) => piece.day === 0 && piece.days === days)).toBe(true);
  });

  it.each([2, 3, 5, 8])('are at least %i, and have each cell and day of the windows once', async (pieces) => {
    for (const chunk of [maps, series, undefined]) {
      const statistics = await weekly(chunk);
      const divided = divideGrid(statistics, pieces);
      expect(divided.length).toBeGreaterThanOrEqual(pieces);
      expect(divided.length).toBeLessThanOrEqual(3 * pieces);
      const found = counts(divided);
      expect(Math.max(...found.values())).toBe(1);
      for (let day = 1; day < 29; day++)
        for (let cell = 0; cell < rows * width; cell++) expect(found.has(`${cell} ${day}`)).toBe(true);
    }
  });

  it('are fewer where it cannot be divided further, and none for a single piece', async () => {
    const statistics = await weekly(undefined);
    expect(divideGrid(statistics, 100_000).length).toBeGreaterThan((rows * width * 4) / 2);
    expect(divideGrid(statistics, 1)).toEqual([]);
  });

  it('are computed in blocks of any memory, each within one piece', async () => {
    const statistics = await weekly(maps);
    const pieces = divideGrid(statistics, 3);
    const blocks = planBlocks(statistics, { bytes: 4_000, pieces });
    expect(blocks.length).toBeGreaterThan(pieces.length);
    expect(counts(blocks)).toEqual(counts(pieces));
    expect(blocksInPieces(blocks, [pieces[1]])).toEqual(
      blocksInPieces(planBlocks(statistics, { bytes: 4_000 }), [pieces[1]]),
    );
  });

  it.each([
    ['maps', maps],
    ['series', series],
    ['no chunks', undefined],
  ])('joined have the bytes of the entire grid, stored as %s', async (name, chunk) => {
    const statistics = await weekly(chunk);
    const path = (file: string) => join(folder, `${name}-${file}`);
    const work = { core, progress: () => {} };
    const entire = await computeResults(statistics, { ...work, bytes: 1e9, results: path('entire') });
    const divided = divideGrid(statistics, 4);
    // Each file has every third piece, and is computed with other memory.
    const files = [0, 1, 2].map((first) => ({
      path: path(`part-${first}`),
      blocks: divided.filter((_, index) => index % 3 === first),
    }));
    for (const [index, { path: results, blocks: pieces }] of files.entries())
      await computeBlocks(statistics, { ...work, bytes: [1e9, 60_000, 20_000][index], results, pieces });
    const joined = openComputedPieces(statistics, { results: path('joined') }, files);
    expect(bytesOf(statistics, joined.results).equals(bytesOf(statistics, entire.results))).toBe(true);
    entire.close();
    joined.close();
  });
});

/** The bytes of values of a week of all cells, in a thread whose blocks may have three quarters of its memory. */
const WEEK = (4 * members * 7 * rows * width) / 0.75;

it.each([
  ['maps, of which threads would decode each twice', maps, 0.6 * WEEK, true],
  ['maps, of which threads hold a week', maps, 1.5 * WEEK, false],
  ['series, of which threads hold some', series, 4 * WEEK, false],
  ['no chunks', undefined, 0.6 * WEEK, false],
])('a grid in %s is computed by a thread alone: %s', async (_, chunk, bytes, expected) => {
  const statistics = await weekly(chunk);
  const blocks = planBlocks(statistics, { bytes });
  expect(isFasterAlone(statistics, blocks, { bytes: 2 * bytes })).toBe(expected);
});

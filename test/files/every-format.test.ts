import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { ArrayFile, StoredArray } from '../../src/files/array/array-file.js';
import { FORMATS } from '../../src/files/formats.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { findFormat } from '../../src/files/open-source.js';
import { readTable } from '../../src/files/read-table.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { openInput } from '../../src/input/input.js';
import { openInputFile } from '../../src/input/input-file.js';
import { isFullCheck } from '../full-check.js';
import { makeSeeds, READER_OF, readSeeds, type Seed } from '../fuzz/seeds.js';
import { valuesOf } from './stored-values.js';

let core: Core;
let folder: string;
beforeAll(async () => {
  core = await loadCore();
  folder = await mkdtemp(join(tmpdir(), 'plumecast-formats-'));
  await makeSeeds(folder);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** The seeds of a format, except those that are damaged, hostile or large on purpose; every fifth one where not all are wanted. */
async function seedsOf(name: keyof typeof READER_OF): Promise<Seed[]> {
  const all = await readSeeds(folder, READER_OF[name]);
  const sound = all.filter((seed) => !/^(bomb|large|odd|other)/.test(seed.name));
  return isFullCheck ? sound : sound.filter((_, i) => i % 5 === 0);
}

/** The names of columns, and the rows; texts and dates are the same whatever the types of their columns. */
async function rowsOf(tables: AsyncIterable<Table> | Iterable<Table>): Promise<readonly string[]> {
  const rows: string[] = [];
  let names = '';
  for await (const table of tables) {
    names = table.schema.names.join();
    for (const row of table)
      rows.push(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value)));
  }
  return [names, ...rows];
}

/** The bytes, some at a time. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.slice(at, at + 1000);
}

/** What comes of bytes on standard input. */
async function standardInput<Read>(
  bytes: Uint8Array,
  read: (input: Awaited<ReturnType<typeof openInput>>) => Promise<Read>,
) {
  const input = await openInput(await openInputFile('-', () => piecesOf(bytes)), {}, () => {});
  try {
    return await read(input);
  } finally {
    await input.close();
  }
}

/** The arrays with their values, read whole or a row at a time. */
async function contentOf({ arrays }: ArrayFile, areWhole = true): Promise<readonly unknown[]> {
  const content: unknown[] = [];
  for (const array of arrays.values()) {
    const values = array.type === 'text' ? await array.readTexts() : await numbersOf(array, areWhole);
    content.push([array.name, array.shape, values]);
  }
  return content;
}

async function numbersOf(array: StoredArray, isWhole: boolean): Promise<readonly number[]> {
  const [rows, ...others] = array.shape;
  if (isWhole || rows === undefined) return valuesOf(array);
  const values: number[] = [];
  for (let row = 0; row < rows; row++) {
    values.push(...(await valuesOf(array, { start: [row, ...others.map(() => 0)], count: [1, ...others] })));
  }
  return values;
}

async function arraysOf(path: string, areWhole: boolean): Promise<readonly unknown[]> {
  const file = await openArrays(path);
  try {
    return await contentOf(file, areWhole);
  } finally {
    await file.close();
  }
}

describe.each(FORMATS)('$name', { timeout: 60_000 }, (format) => {
  const { name, kind } = format;

  it('has seeds for the fuzzer, which are found to be of it', async () => {
    const seeds = await seedsOf(name);
    expect(seeds).not.toEqual([]);
    for (const { name: seed, files } of seeds) {
      const bytes = files.get('');
      if (bytes !== undefined) expect([seed, findFormat(bytes)?.name]).toEqual([seed, name]);
    }
  });

  it('is in the lists of the documentation', async () => {
    const word = 'short' in format ? format.short : format.words;
    // "the JSON of Open-Meteo" stands for "Open-Meteo JSON".
    const words = word.split(' ').map((each) => new RegExp(`\\b${each}\\b`));
    const lists = { 'README.md': /recognized by content/, 'docs/command.md': /stats FILE\.\.\./ };
    for (const [file, list] of Object.entries(lists)) {
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => list.test(line));
      expect(lines, file).not.toEqual([]);
      for (const line of lines) for (const each of words) expect(line).toMatch(each);
    }
  });

  if (kind === 'table')
    it('reads the same whole, in parts, gzipped and from standard input', async () => {
      for (const { name: seed, files } of await seedsOf(name)) {
        const bytes = files.get('') as Uint8Array;
        const path = join(folder, READER_OF[name], seed);
        const packed = join(folder, `${name}-${seed}.gz`);
        await writeFile(packed, gzipSync(bytes));
        const ways = {
          parts: rowsOf(readTables(core, path, { bytes: 1000 })),
          pieces: rowsOf(readTables(core, piecesOf(bytes))),
          gzipped: rowsOf([await readTable(gzipSync(bytes))]),
          'gzipped, in parts': rowsOf(readTables(core, packed)),
          'standard input': standardInput(bytes, async (input) =>
            rowsOf(input.kind === 'table' ? [await input.read()] : []),
          ),
          'standard input, in parts': standardInput(bytes, (input) =>
            rowsOf(input.kind === 'table' ? input.tables(core) : []),
          ),
        };
        const whole = await rowsOf([await readTable(bytes)]);
        expect(whole.length).toBeGreaterThan(1);
        for (const [way, rows] of Object.entries(ways)) expect(await rows, `${seed}, ${way}`).toEqual(whole);
      }
    });

  if (kind === 'arrays')
    it('reads the same whole, in parts and from standard input, and says what is gzipped', async () => {
      let read = 0;
      for (const { name: seed, files } of await seedsOf(name)) {
        const path = join(folder, READER_OF[name], seed);
        const whole = await arraysOf(path, true).catch(() => undefined);
        // Some seeds are wrong on purpose.
        if (whole === undefined) continue;
        read++;
        expect(await arraysOf(path, false), `${seed}, in parts`).toEqual(whole);
        const bytes = files.get('');
        // A store is a folder.
        if (bytes === undefined) continue;
        const standard = standardInput(bytes, async (input) =>
          input.kind === 'arrays' ? contentOf(input.arrays) : [],
        );
        expect(await standard, `${seed}, standard input`).toEqual(whole);
        const packed = join(folder, `${name}-${seed}.gz`);
        await writeFile(packed, gzipSync(bytes));
        await expect(openArrays(packed), `${seed}, gzipped`).rejects.toThrow('is gzip, from which no arrays are read');
      }
      expect(read).toBeGreaterThan(isFullCheck ? 1 : 0);
    });
});

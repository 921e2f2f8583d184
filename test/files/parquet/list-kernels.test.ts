import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Field, Float32, List } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTableKernels } from '../../../src/core/table-kernels.js';
import { ListBuilder } from '../../../src/files/parquet/column-builders.js';
import { isFullCheck } from '../../full-check.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { expectSame, outcome } from './read-outcome.js';

const SEED = 20_261_125;
const { memory, kernels } = await loadTableKernels();
const base = memory.mark();

/** The levels of pages: of lists that may be null, whose items may be, or of any numbers. */
const pagesOfLevels = fc
  .tuple(
    fc.array(fc.option(fc.array(fc.boolean(), { maxLength: 40 }), { freq: 6 }), { maxLength: 60 }),
    fc.array(fc.nat(200), { maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.nat(3)), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([lists, cuts, changes, areFull]) => {
    const entries = lists.flatMap((list) => {
      if (areFull) return (list ?? [true, true]).concat(true).map((_, i) => [i === 0 ? 0 : 1, 3]);
      if (list === null) return [[0, 0]];
      return list.length === 0 ? [[0, 1]] : list.map((isPresent, i) => [i === 0 ? 0 : 1, isPresent ? 3 : 2]);
    });
    if (!areFull && entries.length > 0) {
      for (const [at, repetition, definition] of changes) entries[at % entries.length] = [repetition, definition];
    }
    const ends = [...cuts.map((cut) => cut % (entries.length + 1)), entries.length].sort((a, b) => a - b);
    return { rows: lists.length, pages: ends.map((end, i) => entries.slice(ends[i - 1] ?? 0, end)) };
  });
type Pages = readonly (readonly (readonly number[])[])[];

const isFullPage = (page: Pages[number]) => page.every(([, level]) => level === 3);

/** Offsets and validity by the kernel; undefined where it rejects a page. */
function byKernel(rows: number, pages: Pages) {
  const entries = pages.reduce((sum, page) => sum + page.length, 0);
  const [state, offsets, validity] = [16, 4 * rows + 4, rows + 64].map((bytes) => memory.scratch(bytes));
  const [repetition, definition, levels] = [0, 1, 2].map(() => memory.scratch(entries + 64));
  memory.int32(state, 4).fill(0);
  memory.int32(offsets, 1).fill(0);
  memory.bytes(validity, rows + 64).fill(255);
  try {
    const present: number[] = [];
    for (const page of pages) {
      memory.bytes(repetition, page.length).set(page.map(([level]) => level));
      memory.bytes(definition, page.length).set(page.map(([, level]) => level));
      const from = isFullPage(page) ? 0 : definition;
      const count = kernels.readLists(repetition, from, page.length, 1, rows, state, offsets, validity, levels);
      if (count < 0) return undefined;
      const own = from === 0 ? new Uint8Array(count).fill(3) : memory.bytes(levels, count);
      present.push(...Array.from(own, (level) => (level === 3 ? 1 : 0)));
    }
    const [begun, items, , nulls] = memory.int32(state, 4);
    const bits = memory.bytes(validity, rows + 1);
    const valid = Array.from({ length: begun }, (_, row) => ((bits[row >> 3] >> (row & 7)) & 1) === 1);
    return { offsets: [...memory.int32(offsets, begun + 1)], valid, nulls, items, present };
  } finally {
    memory.release(base);
  }
}

/** The same by the builder in TypeScript. */
function byBuilder(rows: number, pages: Pages) {
  const entries = pages.reduce((sum, page) => sum + page.length, 0);
  const type = new List(new Field('item', new Float32(), true));
  const builder = new ListBuilder(type, { empty: 1, value: 3 }, { rows, entries, maxBytes: 1e6 });
  try {
    for (const page of pages) {
      const values = new Float32Array(page.filter(([, level]) => level === 3).length);
      const repetition = Uint8Array.from(page, ([level]) => level);
      builder.append(values, repetition, isFullPage(page) ? undefined : Uint8Array.from(page, ([, level]) => level));
    }
  } catch {
    return undefined;
  }
  const begun = builder.length;
  const data = builder.finish();
  const [child] = data.children;
  return {
    offsets: [...data.valueOffsets.subarray(0, begun + 1)],
    valid: Array.from({ length: begun }, (_, row) => data.getValid(row)),
    nulls: data.nullCount,
    items: child.length,
    present: Array.from({ length: child.length }, (_, item) => (child.getValid(item) ? 1 : 0)),
  };
}

test('the kernel of lists gives what is given without it, where pages end within rows, too', () => {
  let rejected = 0;
  fc.assert(
    fc.property(pagesOfLevels, ({ rows, pages }) => {
      const expected = byBuilder(rows, pages);
      if (expected === undefined) rejected++;
      expect(byKernel(rows, pages)).toEqual(expected);
    }),
    { numRuns: isFullCheck ? 200 : 66, seed: SEED },
  );
  expect(rejected).toBeGreaterThan(10);
});

/** Files with a changed byte, of each kind. */
const CHANGES = isFullCheck ? 100 : 10;

/** Lists of all kinds, by page version, encoding and codec. */
const WRITE = `
import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq
root, r, n = sys.argv[1], np.random.default_rng(11), 700
def lists(sizes, gaps, none):
    return [None if r.random() < none else [None if r.random() < gaps else float(np.round(v, 1)) for v in r.gamma(1, 3, k)] for k in sizes]
def table(gaps, none):
    varied = r.integers(0, 40, n) * (r.random(n) < 0.9)
    return pa.table({
        'f4': pa.array(lists(np.full(n, 31), gaps, none), pa.list_(pa.float32())),
        'f8': pa.array(lists(varied, gaps, none), pa.list_(pa.float64())),
        'large': pa.array(lists(varied, gaps, none), pa.large_list(pa.float64())),
        'i4': pa.array([None if v is None else [None if x is None else int(x) for x in v] for v in lists(varied, gaps, none)], pa.list_(pa.int32())),
        'fixed': pa.array(lists(np.full(n, 5), gaps, none), pa.list_(pa.float32(), 5)),
        'text': pa.array([['a', 'b']] * n, pa.list_(pa.string())),
        'required': pa.array(lists(varied, 0, 0), pa.list_(pa.field('item', pa.float32(), False))),
        'number': pa.array(r.random(n)),
    })
for gaps, none in ((0, 0), (0.2, 0), (0, 0.2), (0.2, 0.2), (1, 0.5)):
    t = table(gaps, none)
    if not none: t = t.cast(pa.schema([f.with_nullable(False) for f in t.schema]))
    for v in ('1.0', '2.0'):
        for codec, coded in (('snappy', True), ('zstd', False), ('none', True)):
            name = '%s/%g-%g-%s-%s.parquet' % (root, gaps, none, v, codec)
            pq.write_table(t, name, row_group_size=400, data_page_version=v, data_page_size=2000, compression=codec,
                use_dictionary=coded, dictionary_pagesize_limit=1500, write_page_index=codec != 'none')
`;
const KINDS = ['0-0', '0.2-0', '0-0.2', '0.2-0.2', '1-0.5'].flatMap((kind) =>
  ['1.0-snappy', '1.0-zstd', '1.0-none', '2.0-snappy', '2.0-zstd', '2.0-none'].map((how) => `${kind}-${how}`),
);

const isThere = hasPython('pyarrow', 'numpy');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-lists-'));
beforeAll(() => {
  if (isThere) python(WRITE, { args: [folder] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isThere)('Parquet lists of pyarrow', () => {
  const [withKernels, without] = [
    { kernelsFrom: 0, bytes: 20_000 },
    { kernelsFrom: Number.POSITIVE_INFINITY, bytes: 20_000 },
  ];

  test('are the same by kernels', async () => {
    for (const kind of KINDS) {
      const file = new Uint8Array(readFileSync(join(folder, `${kind}.parquet`)));
      const expected = await outcome(file, without);
      expect(expected, kind).toMatchObject({ columns: { f4: expect.any(Array) } });
      expectSame(await outcome(file, withKernels), expected, kind);
    }
  });

  test('are the same by kernels where bytes are changed, with the same errors', async () => {
    let faults = 0;
    for (const kind of ['0.2-0.2-1.0-none', '0.2-0.2-2.0-none', '0-0-1.0-snappy', '0-0-2.0-zstd']) {
      const whole = new Uint8Array(readFileSync(join(folder, `${kind}.parquet`)));
      const end = whole.length - 8 - new DataView(whole.buffer).getUint32(whole.length - 8, true);
      for (let i = 1; i <= CHANGES; i++) {
        const file = whole.slice();
        file[4 + ((i * i * 7_919) % (end - 4))] ^= 1 << (i % 8);
        const expected = await outcome(file, without);
        if (typeof expected === 'string') faults++;
        expectSame(await outcome(file, withKernels), expected, `${kind} ${i}`);
      }
    }
    expect(faults).toBeGreaterThan(0.08 * 4 * CHANGES);
  }, 120_000);
});

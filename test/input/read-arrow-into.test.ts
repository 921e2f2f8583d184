import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readArrowInto } from '../../src/files/arrow/read-arrow-into.node.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { failureOf, locationTable, rowsOf } from './location-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-into-'));
afterAll(() => rmSync(folder, { recursive: true }));
let core: Core;
beforeEach(async () => {
  core = await loadCore();
});

const table = locationTable({
  seed: 5,
  spans: Array.from({ length: 60 }, () => [0, 31] as const),
  form: 'wide',
  values: 'float32',
  coordinates: 'float64',
  gaps: 0,
  nulls: 0,
});
const file = tableToIPC(table, 'file');
const stream = tableToIPC(table, 'stream');

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** The top of the stack after everything but held blocks is released, where no view of the memory is left. */
function topWithoutViews(mark: number): number {
  core.memory.wasm.grow(0);
  core.memory.release(mark);
  return core.memory.mark();
}

describe('readArrowInto', () => {
  it.each([
    ['bytes of a file', () => file],
    ['bytes of a stream', () => stream],
    ['a Blob', () => new Blob([file.slice()])],
    ['an ArrayBuffer', () => file.slice().buffer],
    ['a SharedArrayBuffer', () => sharedCopy(stream)],
    ['a DataView', () => new DataView(stream.buffer, stream.byteOffset, stream.byteLength)],
    ['a Buffer', () => Buffer.from(stream)],
    ['a Response', () => new Response(stream.slice())],
    ['a stream of the web', () => new Blob([stream.slice()]).stream()],
    ['pieces', () => [stream.subarray(0, 11), stream.subarray(11, 5_000), stream.subarray(5_000)]],
  ])('reads %s into memory where columns are computed in place', async (_, source) => {
    const mark = core.memory.mark();
    const data = await readArrowInto(core, source());
    const [{ field }] = readEnsemble(data.table).parts;
    expect(field.members.every((member) => member.addressIn(core) !== undefined)).toBe(true);
    expect(rowsOf([statistics(core, data.table)])).toEqual(rowsOf([statistics(core, table)]));
    expect(topWithoutViews(mark)).toBeGreaterThan(mark);
    data.release();
    expect(topWithoutViews(mark)).toBe(mark);
  });

  it('rejects a response that is an error, and says its status', async () => {
    expect(await failureOf(() => readArrowInto(core, new Response('gone', { status: 404 })))).toMatch(
      'OptionError: bytes: cannot be used; received "a response of status 404"',
    );
  });

  it('streamStatistics says that a file is not a stream', async () => {
    expect(await failureOf(() => streamStatistics(core, file, { source: 'a.arrow' }).next())).toBe(
      'FormatError: a.arrow: is an Arrow file, not a stream; ' +
        'allowed: an Arrow stream; readTables reads all formats',
    );
  });

  it('gives a new table after the memory has grown', async () => {
    const data = await readArrowInto(core, file);
    const former = data.table;
    expect(data.table).toBe(former);
    core.memory.allocate(1 << 26);
    expect(former.getChild('m00')?.data[0].values.length).toBe(0);
    expect(rowsOf([statistics(core, data.table)])).toEqual(rowsOf([statistics(core, table)]));
  });

  it('releases its memory if the bytes are not Arrow, or the source fails', async () => {
    const mark = core.memory.mark();
    const text = new TextEncoder().encode('date,m1\n2026-01-01,1\n');
    expect(await failureOf(() => readArrowInto(core, text, { source: 'a.csv' }))).toBe(
      'FormatError: a.csv: is not Arrow; received "csv"; allowed: an Arrow IPC file or stream',
    );
    async function* failing() {
      yield stream.subarray(0, 100);
      throw new Error('the line went dead');
    }
    expect(await failureOf(() => readArrowInto(core, failing()))).toBe('Error: the line went dead');
    expect(topWithoutViews(mark)).toBe(mark);
  });

  it('lets others allocate memory while bytes come', async () => {
    async function* pieces() {
      yield stream.subarray(0, 100);
      core.memory.allocate(64);
      yield stream.subarray(100);
    }
    const data = await readArrowInto(core, pieces());
    expect(rowsOf([statistics(core, data.table)])).toEqual(rowsOf([statistics(core, table)]));
    data.release();
  });
});

describe('readArrowInto', () => {
  it('reads the file of a path into memory where columns are computed in place', async () => {
    const path = join(folder, 'rain.arrow');
    writeFileSync(path, file);
    const data = await readArrowInto(core, path);
    expect(readEnsemble(data.table).parts[0].field.members[0].addressIn(core)).toBeDefined();
    expect(rowsOf([statistics(core, data.table)])).toEqual(rowsOf([statistics(core, table)]));
  });

  it('names a file that is empty or missing', async () => {
    const path = join(folder, 'empty.arrow');
    writeFileSync(path, '');
    expect(await failureOf(() => readArrowInto(core, path))).toMatch(`FormatError: ${path}: is empty`);
    const none = join(folder, 'none');
    expect(await failureOf(() => readArrowInto(core, none))).toMatch(`FileError: ${none}: cannot be read`);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Dictionary,
  Int32,
  makeData,
  RecordBatch,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { locationRows, wideTable } from '../../src/table/build/wide-table.js';
import { serveConnection } from '../../src/worker/index.js';
import { folderWith } from '../cli/run-command.js';
import { plainClimatology } from '../climate/against-climatology.js';
import { isFullCheck } from '../full-check.js';
import { rowsOf } from '../input/location-tables.js';
import { count, frame, request, talk } from './talk.js';

/** Rain of three members at some places, by location, from Monday 2026-01-05 on. */
function rain(cells: number, days = 14): Table {
  const latitude = Float64Array.from({ length: cells }, (_, i) => 60 - i / 100);
  const rows = locationRows({ latitude, longitude: new Float64Array(cells).fill(-80) }, { firstDay: 20_458, days });
  const members = [0, 1, 2].map((m) =>
    Float32Array.from({ length: cells * days }, (_, i) => ((i * 7 + m * 13) % 97) / 4),
  );
  return wideTable({ ...rows, members }, new Map([['variable', 'precipitation']]));
}

const table = rain(3);
const weekly = { granularity: 'weekly' } as const;
const good = request({ options: weekly }, table);
const core = await loadCore();
const expected = rowsOf([statistics(core, table, weekly)]);
const days = Array.from({ length: 14 }, (_, i) => `2026-01-${String(i + 5).padStart(2, '0')}`);
const { folder, remove } = folderWith({
  'rain.csv': await encodeTable(table, 'csv'),
  'mem1.csv': `date,value\n${days.map((day) => `${day},1`).join('\n')}\n`,
  'mem2.csv': `date,value\n${days.map((day) => `${day},2`).join('\n')}\n`,
  'normal.arrow': await encodeTable(
    climatologyTable(
      plainClimatology([{ latitude: 60, longitude: -80, limits: [10, 20], mean: 15 }], { granularity: 'weekly' }),
    ),
    'arrow',
  ),
});
afterAll(remove);

describe('a connection to a worker', () => {
  it('answers requests one after the other with the rows that statistics() gives, and their number', async () => {
    const spread = { ...weekly, spread: true, thresholds: ['>20'], quantiles: [0.1, 0.9] };
    const { isGood, answers } = await talk(Buffer.concat([good, request({ options: spread }, table), good]), 777);
    expect(isGood).toBe(true);
    expect(answers.map(({ rows }) => rows)).toEqual([6, 6, 6]);
    expect(rowsOf([tableFromIPC(answers[0].bytes)])).toEqual(expected);
    expect(rowsOf([tableFromIPC(answers[1].bytes)])).toEqual(rowsOf([statistics(core, table, spread)]));
    expect(answers[2].bytes).toEqual(answers[0].bytes);
  });

  it('gives the same for any cuts into frames and pieces', async () => {
    const data = tableToIPC(table, 'stream');
    for (const [cut, piece] of [
      [data.length, 1],
      [1, 65_536],
      [4096, 13],
    ]) {
      const { answers } = await talk(request({ options: weekly }, data, { rows: table.numRows, cut }), piece);
      expect(rowsOf([tableFromIPC(answers[0].bytes)])).toEqual(expected);
    }
  });

  it('takes conditions on several variables as options, as a plan has them', async () => {
    const [amounts, degrees] = (['precipitation', 'temp_mean'] as const).map((slug) =>
      demoTable(slug, { days: 14, members: 3 }),
    );
    const columns = ['date', 'latitude', 'longitude'].map((name) => [name, amounts.getChild(name)] as const);
    for (const m of [0, 1, 2]) columns.push([`rain_${m}`, amounts.getChild(`member_0${m}`)]);
    for (const m of [0, 1, 2]) columns.push([`temp_mean_${m}`, degrees.getChild(`member_0${m}`)]);
    const both = new Table(Object.fromEntries(columns) as never);
    const thresholds = ['rain>5 and temp_mean<6', 'rain>5 given temp_mean<6'];
    const [byOptions, byPlan] = await Promise.all(
      [{ options: { ...weekly, thresholds } }, { plan: { granularities: ['weekly'], thresholds } }].map(
        async (fields) => (await talk(request(fields, both))).answers[0],
      ),
    );
    expect(byOptions.error).toBeUndefined();
    expect(byOptions.bytes).toEqual(byPlan.bytes);
    expect(tableFromIPC(byOptions.bytes).get(0)?.p_rain_gt_5_and_temp_mean_lt_6).toBeGreaterThan(0);
    for (const [fields, problem] of [
      [{ options: { ...weekly, thresholds }, part: {} }, { subject: 'part' }],
      [{ options: { variable: 'rain', thresholds } }, { subject: 'variable' }],
      [{ options: { quantiles: [0.5], thresholds } }, { subject: 'quantiles' }],
      [{ options: { thresholds, no: 1 } }, { subject: 'options' }],
      [{ options: { thresholds: ['rain>q90 and temp_mean<1'] } }, { subject: 'thresholds' }],
      [{ options: { thresholds: ['rain>80 and'] } }, { tag: 'option' }],
    ] as const) {
      expect((await talk(request(fields, both))).answers[0].error, JSON.stringify(fields)).toMatchObject(problem);
    }
  });

  it('computes a plan from data that come once: an Arrow stream for each variable and granularity', async () => {
    const { answers } = await talk(request({ plan: { granularities: ['weekly', 'daily'], spread: true } }, table));
    const parts = (['weekly', 'daily'] as const).map((granularity) =>
      statistics(core, table, { granularity, spread: true }),
    );
    const streams = await Promise.all(parts.map((part) => encodeTable(part, 'arrow-stream')));
    expect(answers[0].bytes).toEqual(Buffer.concat(streams));
    expect(answers[0].rows).toBe(parts[0].numRows + parts[1].numRows);
  });

  it('computes a file, and reports what was noticed about it', async () => {
    const { answers } = await talk(
      request({ file: join(folder, 'rain.csv'), options: { ...weekly, variable: 'temp_mean', units: 'K' } }),
    );
    expect(answers[0].rows).toBe(6);
    expect(answers[0].notices).toEqual([
      { kind: 'note', source: join(folder, 'rain.csv'), text: 'K to degC' },
      expect.objectContaining({ kind: 'warning' }),
    ]);
  });

  it('computes the files of a glob as one, by a pattern of their names', async () => {
    const glob = join(folder, 'mem*.csv');
    const options = { ...weekly, variable: 'precipitation' };
    const { answers } = await talk(request({ file: glob, join: 'mem{member}', options }));
    expect(answers[0].rows).toBe(2);
    expect(tableFromIPC(answers[0].bytes).getChild('mean')?.toJSON()).toEqual([10.5, 10.5]);
    const apart = await talk(request({ file: glob, options }));
    expect(apart.answers[0].error).toMatchObject({ subject: glob, problem: expect.stringContaining('several inputs') });
  });

  it('compares data with a climatology', async () => {
    const one = rain(1);
    const { answers } = await talk(
      request({ climatology: join(folder, 'normal.arrow'), options: { anomaly: true } }, one),
    );
    const normal = plainClimatology([{ latitude: 60, longitude: -80, limits: [10, 20], mean: 15 }], {
      granularity: 'weekly',
    });
    expect(rowsOf([tableFromIPC(answers[0].bytes)])).toEqual(
      rowsOf([statistics(core, one, { anomaly: true, climatology: normal })]),
    );
  });

  it('reads streams of many batches, of empty ones among them, and of dictionary columns', async () => {
    const batches = Array.from({ length: 42 }, (_, row) => table.slice(row, row + 1).batches[0]);
    const empty =
      table.slice(0, 0).batches[0] ??
      new RecordBatch(table.schema, makeData({ type: batches[0].data.type, length: 0 }));
    const many = new Table([empty, ...batches.slice(0, 20), empty, ...batches.slice(20)]);
    const coded = new Table({
      ...Object.fromEntries(table.schema.fields.map(({ name }) => [name, table.getChild(name)])),
      variable: vectorFromArray(Array(42).fill('precipitation'), new Dictionary(new Utf8(), new Int32())),
    } as never);
    for (const given of [many, coded]) {
      const { answers } = await talk(request({ options: weekly }, given));
      expect(rowsOf([tableFromIPC(answers[0].bytes)])).toEqual(expected);
    }
  });

  it('answers a bad request with an error record, and the next request with results', async () => {
    const cases: [Uint8Array, object][] = [
      [
        request({ options: { granularity: 'wekly' } }, table),
        { tag: 'option', subject: 'windows', problem: 'is not known' },
      ],
      [
        request({ options: { granularit: 'weekly' } }, table),
        { problem: 'unknown option, the nearest is granularity' },
      ],
      [request({ options: { exceed: [0.9] } }, table), { subject: 'exceed and anomaly', allowed: 'climatology: FILE' }],
      [request({ options: weekly, plan: {} }, table), { subject: 'plan' }],
      [request({ plan: { out: 'x' } }, table), { subject: 'plan', problem: 'has an option of files' }],
      [request({ plan: { granularities: ['yearly'] } }, table), { tag: 'option' }],
      [request({ query: 1 }, table), { subject: 'request', tag: 'option' }],
      [request({ options: null }, table), { tag: 'option' }],
      [request({ source: 3 }, table), { subject: 'source' }],
      [request({ join: 'mem{member}' }, table), { subject: 'join', problem: 'is given without file' }],
      [
        request({ file: join(folder, 'rain.csv'), join: 'mem{member}' }),
        { subject: 'join', problem: 'there is one file' },
      ],
      [
        request({ options: weekly }, table, { rows: 41 }),
        { tag: 'data', problem: expect.stringContaining('another number of rows') },
      ],
      [request({ options: weekly }, table, { rows: 43 }), { tag: 'data' }],
      [request({ options: weekly, file: join(folder, 'rain.csv') }, table), { subject: 'file' }],
      [
        request({ options: { variable: 'temp_mean' }, file: join(folder, 'rain.csv') }, undefined, { rows: 1 }),
        { tag: 'data' },
      ],
      [
        request({ options: weekly, file: join(folder, 'none.csv') }),
        { tag: 'file', subject: join(folder, 'none.csv') },
      ],
      [request({ options: weekly }), { tag: 'format', problem: 'is empty' }],
      [request({ options: weekly }, table.slice(0, 0)), { tag: 'data', problem: 'has no rows' }],
      [
        request({ options: weekly }, Buffer.from('date,value\n2026-01-05,1\n'), { rows: 1 }),
        { tag: 'format', subject: 'data' },
      ],
      [request({ options: weekly }, tableToIPC(table, 'file'), { rows: 42 }), { tag: 'format' }],
      [
        request({ options: weekly }, tableToIPC(table, 'stream').slice(0, -8), { rows: 42 }),
        { problem: 'is a truncated Arrow stream' },
      ],
      [
        request({ options: weekly, source: 'partition 7' }, new Table([...table.batches, ...table.batches])),
        { source: 'partition 7', row: expect.any(Number) },
      ],
    ];
    const { isGood, answers } = await talk(Buffer.concat(cases.flatMap(([bad]) => [bad, good])));
    expect(isGood).toBe(false);
    cases.forEach(([, record], i) => {
      expect(answers[2 * i].error, String(i)).toMatchObject({ ...record, version: 1, closes: false });
      expect(answers[2 * i].bytes).toHaveLength(0);
      expect(rowsOf([tableFromIPC(answers[2 * i + 1].bytes)])).toEqual(expected);
    });
    expect(answers).toHaveLength(2 * cases.length);
  });

  it('says that a request is cut off wherever it is cut, and sends no results for it', async () => {
    const small = request({ options: weekly }, tableToIPC(rain(1, 7), 'stream'), { rows: 7, cut: 500 });
    // 7 bytes are no multiple of what frames and Arrow align to.
    for (let end = 1; end < small.length; end += isFullCheck ? 1 : 7) {
      const { isGood, answers } = await talk(small.subarray(0, end), 300);
      expect(isGood).toBe(false);
      expect(answers).toHaveLength(1);
      expect(answers[0].error).toMatchObject({
        tag: 'format',
        problem: 'is cut off before its end frame',
        closes: true,
      });
      expect(answers[0].bytes).toHaveLength(0);
    }
    expect((await talk(small)).isGood).toBe(true);
    expect(await talk(new Uint8Array(0))).toEqual({ isGood: true, answers: [] });
    // All take seconds, and many times as long on a busy machine.
  }, 120_000);

  it('closes where it cannot find the next request: other kinds, lengths, versions, or no JSON', async () => {
    const begun = frame('Q', '{"version":1}');
    const length = (kind: string, bytes: number) => {
      const head = Buffer.from([kind.charCodeAt(0), 0, 0, 0, 0]);
      head.writeUInt32LE(bytes, 1);
      return head;
    };
    const cases: [Uint8Array[], string][] = [
      [[Buffer.from('GET / HTTP/1.1\r\n\r\n')], 'is not of an expected kind; received "G"; allowed: Q'],
      [[frame('D', 'x')], 'is not of an expected kind'],
      [[frame('E', count(0))], 'is not of an expected kind'],
      [[begun, begun], 'is not of an expected kind; received "Q"; allowed: D or E'],
      [[begun, frame('R', 'x')], 'is not of an expected kind'],
      [[frame('Q', '')], 'of kind Q has a wrong length; received 0; allowed: 2 to 1048576 bytes'],
      [[length('Q', 1_048_577)], 'of kind Q has a wrong length'],
      [[begun, length('D', 0)], 'of kind D has a wrong length'],
      [[begun, length('D', 4_294_967_295)], 'of kind D has a wrong length'],
      [[begun, frame('E', '1234567')], 'of kind E has a wrong length; received 7; allowed: 8 bytes'],
      [[begun, frame('E', count(2n ** 60n))], 'has an impossible number of rows'],
      [[frame('Q', '{"version":2}')], 'is of another version; received 2; allowed: version 1'],
      [[frame('Q', '{}')], 'is of another version; received "none"'],
      [[frame('Q', '[1]')], 'is of another version'],
      [[frame('Q', 'null')], 'is of another version'],
      [[frame('Q', '{"version":1')], 'is not JSON in UTF-8'],
      [[frame('Q', Buffer.from([0x22, 0xff, 0x22]))], 'is not JSON in UTF-8'],
    ];
    for (const [bytes, message] of cases) {
      const { isGood, answers } = await talk(Buffer.concat([...bytes, good]));
      expect(isGood).toBe(false);
      expect(answers).toHaveLength(1);
      expect(answers[0].error).toMatchObject({
        tag: 'format',
        closes: true,
        message: expect.stringContaining(message),
      });
    }
  });

  it('ends quietly where a client goes away within a request that was answered', async () => {
    const bad = request({ options: { granularity: 'wekly' } }, table);
    const { isGood, answers } = await talk(bad.subarray(0, -3));
    expect([isGood, answers.length]).toEqual([false, 1]);
  });

  it('lets signals and other clients have a turn while it computes a long request', async () => {
    const turns = vi.spyOn(globalThis, 'setImmediate');
    let now = 0;
    // Each table of results takes a second.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    onTestFinished(() => void vi.restoreAllMocks());
    const { answers } = await talk(good);
    clock.mockRestore();
    expect(answers.map(({ rows }) => rows)).toEqual([6]);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(1);
  });

  it('reads no further than a slow reader takes: one write at a time, and the next request after the answer', async () => {
    const big = rain(4000);
    const daily = request({ options: { quantiles: [0.1, 0.2, 0.3, 0.4, 0.5] } }, big, { cut: 65_536 });
    let [taken, pending, most] = [0, 0, 0];
    const resume: (() => void)[] = [];
    async function* pieces() {
      for (const all of [daily, good]) {
        for (let at = 0; at < all.length; at += 65_536) {
          taken++;
          yield all.subarray(at, at + 65_536);
        }
      }
    }
    let blocks = 0;
    const write = async (bytes: Uint8Array) => {
      most = Math.max(most, ++pending);
      if (bytes.length > 100_000 && blocks++ === 2) {
        const before = taken;
        await new Promise<void>((done) => {
          resume.push(done);
          setTimeout(done, 50);
        });
        expect(taken).toBe(before);
      }
      pending--;
    };
    expect(await serveConnection({ bytes: pieces(), write })).toBe(true);
    expect([most, blocks > 10]).toEqual([1, true]);
  });

  it('rejects if the client is gone, and reads no more', async () => {
    let isClosed = false;
    async function* pieces() {
      try {
        for (;;) yield good;
      } finally {
        isClosed = true;
      }
    }
    let writes = 0;
    const write = async () => {
      if (++writes > 4) throw new Error('EPIPE');
    };
    await expect(serveConnection({ bytes: pieces(), write })).rejects.toThrow('EPIPE');
    expect(isClosed).toBe(true);
  });

  it('reads the bytes of the example in the docs', async () => {
    const example = readFileSync(new URL('../../docs/worker.md', import.meta.url), 'utf8');
    const text = '{"version":1,"options":{"granularity":"weekly"}}';
    const hex = (example.match(/^(?:[0-9a-f]{2} )+[0-9a-f]{2}\b/gm) ?? []).join(' ');
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(bytes).toEqual(Buffer.concat([frame('Q', text), frame('E', count(42))]));
  });
});

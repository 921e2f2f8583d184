import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestLines } from '../../src/cli/server-log.js';
import type { RequestRecord } from '../../src/service/handler/handler-options.js';

/** Lines in the memory, and each write. */
function memoryLines() {
  const writes: string[] = [];
  return { writes, lines: new RequestLines((text) => writes.push(text)) };
}

const RECORD: RequestRecord = { method: 'GET', path: '/health', status: 200, milliseconds: 0.1234, bytes: 3 };
const text = fc.string({ unit: 'binary', maxLength: 20 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const records: fc.Arbitrary<RequestRecord> = fc.record({
  method: text,
  path: text,
  status: fc.nat(),
  milliseconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  client: maybe(text),
  userAgent: maybe(text),
  keyId: maybe(text),
  owner: maybe(text),
  bytes: fc.nat(),
  errorId: maybe(text),
  requestId: maybe(text),
  trace: maybe(
    fc.record({ traceId: text, parentId: text, sampled: fc.boolean(), traceparent: text, tracestate: maybe(text) }),
  ),
});

describe('lines of requests', () => {
  it('are what JSON.stringify writes of the fields, whatever these are', () => {
    fc.assert(
      fc.property(records, (record) => {
        const { writes, lines } = memoryLines();
        lines.add(record);
        lines.flush();
        const { trace, milliseconds } = record;
        const { time, ...written } = JSON.parse(writes[0]);
        expect(new Date(time).toISOString()).toBe(time);
        const ids = trace && { traceId: trace.traceId, parentId: trace.parentId };
        const rounded = Math.round(1000 * milliseconds) / 1000;
        const expected = JSON.stringify({ ...record, trace: undefined, milliseconds: rounded, ...ids });
        expect(JSON.stringify(written)).toBe(expected);
        expect(writes[0].indexOf('\n')).toBe(writes[0].length - 1);
      }),
    );
  });

  it('are written together at the end of a turn, in their order', async () => {
    const { writes, lines } = memoryLines();
    for (let status = 0; status < 3; status++) lines.add({ ...RECORD, status });
    expect(writes).toEqual([]);
    await new Promise(setImmediate);
    expect(writes).toHaveLength(1);
    const statuses = writes[0].split('\n').slice(0, -1);
    expect(statuses.map((line) => JSON.parse(line).status)).toEqual([0, 1, 2]);
    expect(writes[0]).toMatch(/"path":"\/health","status":0,"milliseconds":0\.123,"bytes":3\}\n/);
  });

  it('are written whole, in as many bytes as a pipe takes at once, unless one line has more', () => {
    const { writes, lines } = memoryLines();
    for (let i = 0; i < 100; i++) lines.add({ ...RECORD, owner: '\u00e9'.repeat(100) });
    lines.add({ ...RECORD, owner: 'x'.repeat(5000) });
    lines.flush();
    lines.flush();
    for (const each of writes.slice(0, -1)) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(4096);
    expect(writes.every((each) => each.endsWith('}\n'))).toBe(true);
    expect(writes.join('').split('\n')).toHaveLength(102);
    expect(writes.length).toBeLessThan(20);
  });
});

import { Table, tableFromArrays } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../src/core/load.js';
import { isPlumecastError, OptionError, type PlumecastError, unusable } from '../src/errors.js';
import { statistics } from '../src/statistics/statistics.js';

const message = (received: unknown) =>
  unusable('x', received, 'y').message.slice('x: cannot be used; received '.length);

const caught = (run: () => unknown): PlumecastError => {
  try {
    run();
  } catch (error) {
    if (isPlumecastError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('an error describes a value', () => {
  const table = tableFromArrays({ x: new Float64Array(500_000) });

  it.each([
    [table, 'a table of 500,000 rows'],
    [new Table(), 'a table of 0 rows'],
    [new Float32Array(1_000_000), 'a Float32Array of 1,000,000 values'],
    [new Uint8Array(3), 'a Uint8Array of 3 values'],
    [new Int32Array(1), 'an Int32Array of 1 values'],
    [new ArrayBuffer(8), 'an ArrayBuffer'],
    [new Map([[1, 2]]), 'a Map'],
    [Promise.resolve(1), 'a Promise'],
    [{ some: 'field' }, 'an object'],
    [() => 1, 'a function'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[], 'an empty list'],
    [[1, 'a', [2], null], '1, "a", an Array of 1 values, null'],
    [-9999, '-9999'],
    ['rain', '"rain"'],
  ])('by its kind and size, %#', (value, text) => {
    expect(message(value)).toBe(`${text}; allowed: y`);
  });

  it('that has no prototype, or whose properties throw, as an object', () => {
    expect(message(Object.create(null))).toBe('an object; allowed: y');
    const stranger = {
      get numRows(): number {
        throw new Error('not here');
      },
    };
    expect(message(stranger)).toBe('an object; allowed: y');
  });

  it('of a million items by the first twenty, and reads no others', () => {
    let reads = 0;
    const list = new Proxy(new Array<number>(1_000_000).fill(7), {
      get(target, name, receiver) {
        reads++;
        return Reflect.get(target, name, receiver);
      },
    });
    expect(message(list)).toBe(`${'7, '.repeat(20)}... of 1,000,000 values; allowed: y`);
    expect(reads).toBeLessThan(100);
  });

  it('by a text of bounded length', () => {
    for (const value of ['x'.repeat(1e6), Array.from({ length: 50 }, () => 'y'.repeat(1e5)), 10n ** 3000n]) {
      expect(message(value).length).toBeLessThan(2000);
    }
  });
});

describe('received', () => {
  it('holds numbers and short texts, and of anything else what the message says', () => {
    expect(unusable('x', 7, 'y').received).toBe(7);
    expect(unusable('x', 'rain', 'y').received).toBe('rain');
    for (const [value, text] of [
      ['z'.repeat(1e6), `"${'z'.repeat(57)}..."`],
      [new Float32Array(1e6), 'a Float32Array of 1,000,000 values'],
      [[1, 'a'], '1, "a"'],
      [{ secret: 1 }, 'an object'],
    ]) {
      const { received } = unusable('x', value, 'y');
      expect(String(received)).toBe(text);
      expect(message(received)).toBe(`${text}; allowed: y`);
    }
  });
});

describe('a table in a wrong position', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  it('is described, and no value of it is read', () => {
    const table = tableFromArrays({ time: ['2026-03-02'], m0: new Float64Array(1) });
    const column = table.getChildAt(1);
    let reads = 0;
    Object.defineProperty(table, 'toString', { value: () => reads++ });
    Object.defineProperty(table, 'toArray', { value: () => reads++ });
    Object.defineProperty(table, Symbol.iterator, { value: () => reads++ });
    const wrong = statistics as (...values: unknown[]) => unknown;
    for (const [run, text] of [
      [() => wrong(table, { granularity: 'weekly' }), 'core: cannot be used; received a table of 1 rows'],
      [
        () => wrong(core, { granularity: 'weekly' }),
        'table: cannot be used; received an object { granularity }; allowed: an',
      ],
      [() => wrong(core, { a: table, b: 1 }), 'table: cannot be used; received an object { a, b }; allowed: an'],
      [() => wrong(core, {}), 'table: cannot be used; received an object {  }; allowed: an'],
      [() => wrong(core, core), 'table: cannot be used; received an object { '],
      [() => wrong(core, column), 'table: cannot be used; received a FloatVector<Float> of 1 values'],
      [() => wrong(core, Promise.resolve(table)), 'table: cannot be used; received a Promise'],
      [() => wrong(core, table, table), 'options: unknown option'],
      [() => wrong(core, table, new Float64Array(1e6)), 'options: cannot be used; received a Float64Array of'],
      [() => wrong(core, table, { quantiles: table }), 'quantiles: not a list; received a table of 1 rows'],
    ] as const) {
      const error = caught(run);
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toContain(text);
      expect(error.message.length).toBeLessThan(1000);
    }
    expect(reads).toBe(0);
  });
});

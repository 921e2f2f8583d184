import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FloatArray } from '../../src/core/number-arrays.js';
import { isPlumecastError } from '../../src/errors.js';
import { type Granularity, periodKey, windowTable } from '../../src/period/period.js';
import { encodeText, fieldNames } from '../../src/respond/json-bytes.js';
import { JsonWriter } from '../../src/respond/json-writer.js';
import { randomDays } from '../period/random-days.js';
import { anyCharacter } from '../property/any-character.js';
import { holds } from '../property/fuzz.js';
import { rounded } from '../reference/responses.js';
import { granularities } from './random-answers.js';

function written(write: (writer: JsonWriter) => void): string {
  const writer = new JsonWriter();
  write(writer);
  return new TextDecoder('utf-8', { fatal: true }).decode(writer.finish());
}

const number = (value: number, decimals: number) => written((writer) => writer.number(value, decimals));
const decimals = fc.integer({ min: 0, max: 10 });
const finite = { noNaN: true, noDefaultInfinity: true } as const;

describe('JsonWriter.number', () => {
  it('trims trailing zeros of decimals, and no others', () => {
    expect([number(12.3, 2), number(5, 2), number(10, 0), number(0.07, 2), number(100.05, 2), number(1200, 1)]).toEqual(
      ['12.3', '5', '10', '0.07', '100.05', '1200'],
    );
  });

  it('prints 0 for -0 and for what rounds to it, such as rain of -1e-18 mm', () => {
    expect([number(-0, 2), number(-1e-18, 2), number(-0.004, 2), number(-0.006, 2)]).toEqual(['0', '0', '0', '-0.01']);
  });

  it('prints null for NaN', () => {
    expect(number(Number.NaN, 2)).toBe('null');
  });

  it('rounds halves of the exact value away from zero', () => {
    expect([number(0.125, 2), number(-0.125, 2), number(2.5, 0), number(-2.5, 0)]).toEqual([
      '0.13',
      '-0.13',
      '3',
      '-3',
    ]);
    // 1.005 and 8.345 are not halves: in binary they lie below 1.005 and above 8.345.
    expect([number(1.005, 2), number(8.345, 2), number(Math.fround(1.005), 2)]).toEqual(['1', '8.35', '1']);
    expect(number(0.49999999999999994, 0)).toBe('0');
  });

  it('writes magnitudes up to 1e300 as legal JSON', () => {
    for (const value of [1e300, -1e300, 2 ** 31 - 0.5, 2 ** 31, 2 ** 53, 1e21, -123456789012.345]) {
      expect(JSON.parse(number(value, 2))).toBe(rounded(value, 2));
    }
  });

  it('throws DataError for infinite values', () => {
    for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (const write of [() => number(value, 2), () => written((writer) => writer.exact(value))]) {
        expect(write).toThrow(/^response: an infinite value; received -?Infinity; allowed: finite numbers/);
        try {
          write();
        } catch (error) {
          expect(isPlumecastError(error, 'data')).toBe(true);
        }
      }
    }
  });

  const equalsTwin = ([value, places]: readonly [number, number]) => {
    const text = number(value, places);
    expect(JSON.parse(text)).toBe(rounded(value, places));
    expect(text).not.toMatch(/\.\d*0$|^-0$|\.$/);
  };
  holds('equals toFixed for any float32', 4000, fc.tuple(fc.float(finite), decimals), equalsTwin);
  holds('equals toFixed for any float64', 4000, fc.tuple(fc.double(finite), decimals), equalsTwin);
  holds(
    'equals toFixed for float64 numbers of the size of weather, and beside halves',
    6000,
    fc.tuple(
      fc
        .tuple(
          fc.integer({ min: -4_000_000, max: 4_000_000 }),
          fc.constantFrom(1, 10, 16, 100, 200, 1000, 2000, 20_000),
        )
        .chain(([n, by]) =>
          fc.constantFrom(n / by, (n / by) * (1 + 2 ** -52), (n / by) * (1 - 2 ** -53), n * (1 / by)),
        ),
      decimals,
    ),
    equalsTwin,
  );
});

describe('JsonWriter', () => {
  holds('writes exact numbers that read back as they are', 2000, fc.double(finite), (value) => {
    expect(JSON.parse(written((writer) => writer.exact(value)))).toBe(value + 0);
  });

  holds(
    'escapes and encodes any text, as text, as name and as bytes',
    1000,
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.string({ maxLength: 60 }),
      fc.constant('MJ/m²/d µ ° € 😀'),
    ),
    (text) => {
      const body = written((writer) => {
        writer.beginObject();
        writer.name(text);
        writer.text(text);
        writer.name(encodeText(`${text}!`));
        writer.null();
        writer.endObject();
      });
      expect(JSON.parse(body)).toEqual(
        Object.fromEntries([
          [text, text],
          [`${text}!`, null],
        ]),
      );
      expect(body).toBe(`{${JSON.stringify(text)}:${JSON.stringify(text)},${JSON.stringify(`${text}!`)}:null}`);
    },
  );

  it('escapes lone surrogates, which UTF-8 cannot hold', () => {
    expect(written((writer) => writer.text('a\ud800b'))).toBe('"a\\ud800b"');
  });

  it('writes the key of any period', () => {
    for (const day of [...randomDays(300), -719_162, 2_932_890]) {
      for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
        // The first day of the period is what windows begin with.
        const start = granularity === 'weekly' ? day - ((((day + 3) % 7) + 7) % 7) : day;
        expect(written((writer) => writer.period(granularity, start))).toBe(`"${periodKey(granularity, start)}"`);
      }
    }
  });

  holds(
    'sets commas, and grows',
    200,
    fc.tuple(fc.array(fc.array(fc.nat(), { maxLength: 400 }), { maxLength: 30 }), granularities),
    ([lists, granularity]) => {
      const body = written((writer) => {
        writer.beginArray();
        for (const list of lists) {
          writer.beginObject();
          writer.periodName(granularity, 20_412);
          writer.beginArray();
          for (const value of list) writer.number(value, 3);
          writer.endArray();
          writer.name('more');
          writer.boolean(list.length > 3);
          writer.endObject();
        }
        writer.endArray();
      });
      const key = periodKey(granularity, 20_412);
      expect(body).toBe(JSON.stringify(lists.map((list) => ({ [key]: list, more: list.length > 3 }))));
    },
  );

  holds(
    'escapes and encodes texts behind others',
    300,
    fc.array(fc.string({ unit: anyCharacter }), { maxLength: 20 }),
    (texts) => {
      const body = written((writer) => {
        writer.beginArray();
        for (const text of texts) writer.text(text);
        writer.endArray();
      });
      expect(body).toBe(JSON.stringify(texts));
    },
  );

  it('copies each body to new memory, and drops a body whose writing threw', () => {
    const writer = new JsonWriter();
    writer.text('first');
    const first = writer.finish();
    writer.begin().beginObject();
    expect(() => writer.exact(Number.POSITIVE_INFINITY)).toThrow();
    writer.begin().text('other');
    const other = writer.finish();
    expect(new TextDecoder().decode(first)).toBe('"first"');
    expect(new TextDecoder().decode(other)).toBe('"other"');
    expect(first.buffer).not.toBe(other.buffer);
    expect(first.buffer.byteLength).toBe(7);
  });
});

/** Where roundings, digits and the room for them end. */
const edges = fc
  .tuple(
    fc.constantFrom(
      0,
      5e-324,
      0.0005,
      0.00051,
      0.005,
      0.125,
      1.005,
      2.5,
      9.9995,
      99.995,
      999.5,
      999.9995,
      1000,
      1234.5,
    ),
    fc.constantFrom(1, 1000, 1e6, 1e21, 2.147, 2.147483648),
  )
  .map(([value, by]) => value * by);
const numbers = fc.oneof(
  fc.constant(Number.NaN),
  edges,
  edges.map((value) => -value),
  fc.double({ min: -2500, max: 2500, noNaN: true }),
  fc.double(finite),
);
const tables = fc
  .record({
    fields: fc.array(
      fc.tuple(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.constantFrom('float32', 'float64')),
      {
        minLength: 1,
        maxLength: 7,
      },
    ),
    values: fc.array(numbers, { minLength: 7, maxLength: 250 }),
    decimals,
    granularity: granularities,
  })
  .map(({ fields, values, ...others }) => {
    const rows = Math.floor(values.length / fields.length);
    const columns = fields.map(([, type], k) => {
      const column = values.slice(k * rows, (k + 1) * rows);
      // What leaves the range of float32 would be infinite.
      return type === 'float64'
        ? Float64Array.from(column)
        : Float32Array.from(column, (x) => (Math.abs(x) < 3e38 ? x : 0));
    });
    return { names: fields.map(([name], k) => `${k}\x7f${name}`), columns, rows, ...others };
  });

describe('JsonWriter.periodFields and numberFields', () => {
  const starts = (granularity: Granularity, rows: number) =>
    windowTable(granularity, 20_454, 20_454 + 31 * (rows + 2)).start.subarray(0, rows);
  const entry = (names: readonly string[], columns: readonly FloatArray[], row: number, places: number) =>
    `{${names.map((name, k) => `${JSON.stringify(name)}:${JSON.stringify(rounded(columns[k][row], places))}`).join()}}`;

  holds(
    'write what JSON.stringify makes of rounded numbers',
    1500,
    tables,
    ({ names, columns, rows, decimals: places, granularity }) => {
      const days = starts(granularity, rows);
      const body = written((writer) => {
        writer.beginArray();
        writer.beginObject();
        writer.periodFields(granularity, days, fieldNames(names), columns, places);
        writer.endObject();
        for (let row = 0; row < rows; row++) writer.numberFields(fieldNames(names), columns, row, places);
        writer.endArray();
      });
      const entries = Array.from(days, (_, row) => entry(names, columns, row, places));
      const byPeriod = entries.map((text, row) => `"${periodKey(granularity, days[row])}":${text}`);
      expect(body).toBe(`[${[`{${byPeriod.join()}}`, ...entries].join()}]`);
    },
  );

  it('make the buffer long enough for all they write', () => {
    for (let rows = 100; rows < 700; rows++) {
      const columns = [new Float32Array(rows).fill(-1234.567), new Float32Array(rows).fill(12.5)];
      const days = starts('daily', rows);
      const body = written((writer) => {
        writer.beginObject();
        writer.periodFields('daily', days, fieldNames(['mean', 'q05']), columns, 3);
        writer.endObject();
      });
      expect(body.length).toBe(rows * '"2026-01-01":{"mean":-1234.567,"q05":12.5},'.length + 1);
    }
  });

  it('throw DataError for infinite values', () => {
    const columns = [Float32Array.of(1, Number.NEGATIVE_INFINITY)];
    for (const write of [
      (writer: JsonWriter) => writer.periodFields('daily', Int32Array.of(1, 2), fieldNames(['a']), columns, 2),
      (writer: JsonWriter) => writer.numberFields(fieldNames(['a']), columns, 1, 2),
    ]) {
      expect(() => written(write)).toThrow('response: an infinite value; received -Infinity');
    }
  });
});

describe('JsonWriter.periodNumbers', () => {
  /** Runs of days, which cross months and years, some of them backwards or again. */
  const starts = fc
    .array(fc.tuple(fc.integer({ min: -719_000, max: 2_932_000 }), fc.nat(70), fc.constantFrom(1, 1, -1, 0)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((runs) =>
      runs.flatMap(([first, length, step]) => Array.from({ length: length + 1 }, (_, i) => first + i * step)),
    );

  holds(
    'writes what periodName and number write one after the other, also where it is taken in pieces',
    300,
    fc.record({
      from: starts,
      granularity: fc.constantFrom<Granularity>('daily', 'daily', 'weekly', 'monthly'),
      decimals: fc.integer({ min: 0, max: 5 }),
      piece: fc.integer({ min: 1, max: 50 }),
      value: fc.oneof(fc.double({ min: -1e4, max: 1e4, noNaN: true }), fc.constantFrom(Number.NaN, 1e12, -0.0004)),
    }),
    ({ from: all, granularity, decimals: places, piece, value }) => {
      const days = Int32Array.from(all, (day) => windowTable(granularity, day, day, { partial: true }).start[0]);
      const values = Float64Array.from(days, (day) => value + (day % 7) / 8);
      const expected = Array.from(days, (day, i) => {
        const number = written((writer) => writer.number(values[i], places));
        return `"${periodKey(granularity, day)}":${number}`;
      });
      const pieces: Uint8Array[] = [];
      const last = written((writer) => {
        for (let from = 0; from < days.length; from += piece) {
          writer.periodNumbers(granularity, days, values, places, from, Math.min(from + piece, days.length));
          if (from % 3 === 0) pieces.push(writer.take());
        }
      });
      expect(pieces.map((bytes) => new TextDecoder().decode(bytes)).join('') + last).toBe(expected.join());
    },
  );
});

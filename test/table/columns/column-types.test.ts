import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayColumn } from '../../../src/table/columns/day-column.js';
import { categories, daysFrom, float32, membersOf, read, table, typed } from '../tables.js';

const nan = Number.NaN;
const day = 19_782; // 2024-02-29

/** A vector of raw 64-bit ticks. */
function ticks(type: arrow.DataType, values: bigint[]): arrow.Vector {
  return arrow.makeVector(arrow.makeData({ type: type as arrow.Timestamp, data: BigInt64Array.from(values) }));
}

describe('days are read from', () => {
  const { TimeUnit } = arrow;
  const units = {
    [TimeUnit.SECOND]: 1n,
    [TimeUnit.MILLISECOND]: 1000n,
    [TimeUnit.MICROSECOND]: 10n ** 6n,
    [TimeUnit.NANOSECOND]: 10n ** 9n,
  };

  for (const [unit, perSecond] of Object.entries(units)) {
    it(`timestamps of ${perSecond} ticks a second: the UTC day, to the last tick before midnight, before 1970 too`, () => {
      const perDay = 86_400n * perSecond;
      const type = new arrow.Timestamp(Number(unit));
      fc.assert(
        fc.property(
          fc.integer({ min: -106_000, max: 106_000 }),
          fc.bigInt({ min: -200n, max: 200n }),
          (number, near) => {
            const value = BigInt(number) * perDay + near;
            const expected =
              near < 0n ? number - Number((-near + perDay - 1n) / perDay) : number + Number(near / perDay);
            expect([...dayColumn(ticks(type, [value, value]), 'time')]).toEqual([expected, expected]);
          },
        ),
        { numRuns: 300, seed: 3 },
      );
    });
  }

  it('Date32 and Date64, in one chunk or several', () => {
    const date64 = ticks(new arrow.DateMillisecond(), [BigInt(day) * 86_400_000n, BigInt(day + 1) * 86_400_000n]);
    expect([...dayColumn(date64, 'date')]).toEqual([day, day + 1]);
    const days = daysFrom('2024-02-29', 5);
    expect([...dayColumn(days, 'date')]).toEqual([day, day + 1, day + 2, day + 3, day + 4]);
    expect([...dayColumn(days.slice(0, 2).concat(days.slice(3)), 'date')]).toEqual([day, day + 1, day + 3, day + 4]);
  });

  it('text, large text and categories of texts or dates', () => {
    const texts = ['2024-02-29', '2024-03-01 12:00', '2024-02-29'];
    for (const vector of [typed(new arrow.Utf8(), texts), typed(new arrow.LargeUtf8(), texts), categories(...texts)]) {
      expect([...dayColumn(vector, 'date')]).toEqual([day, day + 1, day]);
    }
    const type = new arrow.Dictionary(new arrow.TimestampNanosecond(), new arrow.Int8());
    const dictionary = ticks(new arrow.TimestampNanosecond(), [BigInt(day) * 86_400n * 10n ** 9n]);
    const data = arrow.makeData({ type, data: Int8Array.of(0, 0), dictionary });
    expect([...dayColumn(arrow.makeVector(data), 'date')]).toEqual([day, day]);
  });

  it('text with a time and an offset: the UTC day', () => {
    const days: [string, number][] = [
      ['2024-02-29', day],
      [' 2024-02-29 ', day],
      ['2024-02-29T00:00:00Z', day],
      ['2024-02-29 23:59:59.999999', day],
      ['2024-02-29T00:00:00+00:00', day],
      ['2024-02-29 00:00:00+01', day - 1],
      ['2024-02-29T00:30+0100', day - 1],
      ['2024-02-29T22:00-02:00', day + 1],
      ['2024-02-29T21:59-02:00', day],
    ];
    const texts = days.map(([text]) => text);
    expect([...dayColumn(typed(new arrow.Utf8(), texts), 'date')]).toEqual(days.map(([, expected]) => expected));
  });

  it('text that is midnight of another zone in all rows is an error', () => {
    const texts = (offset: string) =>
      typed(new arrow.Utf8(), [`2024-02-29T00:00:00${offset}`, `2024-03-01T00:00:00${offset}`]);
    expect(() => dayColumn(texts('+01:00'), 'date', 'rain.csv')).toThrow(
      'rain.csv, row 1, column date: daily values of another zone than UTC; received "2024-02-29T00:00:00+01:00"',
    );
    for (const offset of ['', 'Z', '+00:00', '-0000'])
      expect([...dayColumn(texts(offset), 'date')]).toEqual([day, day + 1]);
  });
});

describe('timestamps with a zone', () => {
  const times = (zone: string | undefined, hour: number) =>
    typed(new arrow.Timestamp(arrow.TimeUnit.MILLISECOND, zone), [day * 86_400_000 + hour * 3_600_000]);

  it('that are not midnight of UTC are an error, unless the zone is UTC', () => {
    for (const zone of ['Europe/Berlin', '+01:00', '-05:00']) {
      expect(() => dayColumn(times(zone, 23), 'date', 'cet.arrow')).toThrow(
        `cet.arrow, column date: daily values of another zone than UTC; received ${JSON.stringify(zone)}; allowed: hourly values, UTC days or dates`,
      );
      expect([...dayColumn(times(zone, 0), 'date')]).toEqual([day]);
    }
    for (const zone of ['UTC', 'Etc/UTC', 'Z', '+00:00', undefined]) {
      expect([...dayColumn(times(zone, 23), 'date')]).toEqual([day]);
    }
  });
});

describe('values are read from', () => {
  const of = (vector: arrow.Vector) => {
    const { type, members } = read(table({ date: daysFrom('2024-01-01', vector.length), v: vector })).parts[0];
    return [type, ...members.v];
  };

  it('Float32 as float32, all else as float64', () => {
    expect(of(typed(new arrow.Float16(), [0.5, null, -2, 2 ** -24, 65_504]))).toEqual([
      ...['float64', 0.5, nan, -2, 2 ** -24, 65_504],
    ]);
    expect(of(float32(0.1, null))).toEqual(['float32', Math.fround(0.1), nan]);
    expect(of(typed(new arrow.Float64(), [0.1, null]))).toEqual(['float64', 0.1, nan]);
    expect(of(typed(new arrow.Int8(), [-3, null]))).toEqual(['float64', -3, nan]);
    expect(of(typed(new arrow.Int64(), [-3n, null, 2n ** 60n]))).toEqual(['float64', -3, nan, 2 ** 60]);
    expect(of(typed(new arrow.Uint64(), [3n, null]))).toEqual(['float64', 3, nan]);
  });

  it('decimals as the nearest float64', () => {
    const decimals = (scale: number, ...values: bigint[]) => {
      const data = new BigUint64Array(2 * values.length);
      values.forEach((value, i) => {
        data[2 * i] = BigInt.asUintN(64, value);
        data[2 * i + 1] = BigInt.asUintN(64, value >> 64n);
      });
      const type = new arrow.Decimal(scale, 38, 128);
      return arrow.makeVector(arrow.makeData({ type, data: new Uint32Array(data.buffer) }));
    };
    expect(of(decimals(3, 1234n, -1n, 0n))).toEqual(['float64', 1.234, -0.001, 0]);
    expect(of(decimals(20, 12345678901234567890123n))).toEqual(['float64', Number('123.45678901234567890123')]);
    expect(of(decimals(0, -(10n ** 30n)))).toEqual(['float64', -1e30]);
  });

  it.each([32, 64, 128, 256])('decimals of %i bits, and dictionaries of them', (bits) => {
    const integers = [-8500n, 8500n, 1n, 0n, -(2n ** BigInt(bits - 1))];
    const words = integers.flatMap((integer) =>
      Array.from({ length: bits / 32 }, (_, i) => Number(BigInt.asUintN(32, integer >> BigInt(32 * i)))),
    );
    const type = new arrow.Decimal(3, Math.floor((bits - 1) * Math.log10(2)), bits);
    const entries = arrow.makeVector(arrow.makeData({ type, data: Uint32Array.from(words) }));
    const expected = integers.map((integer) => Number(`${integer}e-3`));
    expect(of(entries)).toEqual(['float64', ...expected]);
    const coded = new arrow.Dictionary(type, new arrow.Int8());
    const codes = arrow.makeData({ type: coded, data: Int8Array.from([1, 0, 4]), dictionary: entries });
    expect(of(arrow.makeVector(codes))).toEqual(['float64', expected[1], expected[0], expected[4]]);
  });

  it('text that is numbers, missing where it is empty, NA, NaN, null or -', () => {
    const texts = ['NA', '', ' 1.5 ', '-2e-3', '.5', '+7', 'nan', 'NULL', '-', null];
    expect(of(typed(new arrow.Utf8(), texts))).toEqual(['float64', nan, nan, 1.5, -0.002, 0.5, 7, nan, nan, nan, nan]);
    expect(of(categories('1', null, '1'))).toEqual(['float64', 1, nan, 1]);
    expect(of(typed(new arrow.Utf8(), [...Array(150).fill('NA'), '4']))).toEqual([
      'float64',
      ...Array(150).fill(nan),
      4,
    ]);
  });

  it('members of Float32 and Float64 together, as float64', () => {
    const input = table({ date: daysFrom('2024-01-01', 1), a: float32(0.1), b: [0.1] });
    expect(read(input).parts[0]).toMatchObject({ type: 'float64', members: { a: [Math.fround(0.1)], b: [0.1] } });
  });

  it('a numbered member that is missing throughout, without changing the type of the others', () => {
    const nothing = arrow.makeVector(arrow.makeData({ type: new arrow.Null(), length: 2 }));
    const input = table({
      date: daysFrom('2024-01-01', 2),
      m0: float32(1, 2),
      m1: nothing,
      m2: float32(3, 4),
      note: nothing,
    });
    expect(read(input).parts[0]).toMatchObject({
      type: 'float32',
      members: { m0: [1, 2], m1: [nan, nan], m2: [3, 4] },
    });
    const texts = table({ date: daysFrom('2024-01-01', 1), m0: ['1'], m1: ['NA'], notice: ['none'] });
    expect(membersOf(texts)).toEqual({ m0: [1], m1: [nan] });
  });
});

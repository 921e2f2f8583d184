import { Float32 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { singleDegrees, westernLongitude } from '../../../src/ensemble/place-rows.js';
import { DataError } from '../../../src/errors.js';
import { dates, read, table, typed } from '../tables.js';

describe('longitudes of tables', () => {
  it('above 180 degrees become western ones, as of grids', () => {
    const input = table({
      latitude: [37.3, 37.3, 37.3, 37.3],
      longitude: [280.16, 180, 360, 359.75],
      date: dates('2024-01-01', '2024-01-01', '2024-01-01', '2024-01-01'),
      m: [1, 2, 3, 4],
    });
    expect(read(input).parts.flatMap(({ places }) => places.map(([, longitude]) => longitude))).toEqual([
      ...[-79.84, 180, 0, -0.25],
    ]);
  });

  it('of both forms are one place', () => {
    const input = (second: string) =>
      table({
        latitude: [37.3, 37.3],
        longitude: [280.16, -79.84],
        date: dates('2024-01-01', second),
        m: [1, 2],
      });
    expect(read(input('2024-01-02')).parts).toMatchObject([{ days: 2, places: [[37.3, -79.84]] }]);
    expect(() => read(input('2024-01-01'))).toThrow(DataError);
  });

  it('in float32 columns and in metadata are the same', () => {
    const columns = { date: dates('2024-01-01'), m: [1] };
    const degrees = (values: number[]) => typed(new Float32(), values);
    const single = table({ ...columns, lat: degrees([37.3]), lon: degrees([280.16]) });
    const stated = table(columns, { latitude: '37.3', longitude: '280.16' });
    for (const input of [single, stated]) expect(read(input).parts[0].places).toEqual([[37.3, -79.84]]);
  });

  it('are left as they are in the columns of the caller', () => {
    const input = table({ latitude: [1], longitude: [280.16], date: dates('2024-01-01'), m: [1] });
    read(input);
    expect(input.getChild('longitude')?.get(0)).toBe(280.16);
  });
});

describe('degrees', () => {
  it('of float32 have the seven digits that float32 holds', () => {
    for (const degrees of [0.1, -0.25, 1.123456, -9.99999, 37.3, 89.46282, -179.8125, 280.16, 359.9375, 0]) {
      expect(singleDegrees(Math.fround(degrees))).toBe(Number(Math.fround(degrees).toPrecision(7)));
    }
    expect(singleDegrees(Number.NaN)).toBeNaN();
  });

  it('up to 180 stay as they are, and none becomes -0', () => {
    expect([-180, -0.1, 0, 180].map(westernLongitude)).toEqual([-180, -0.1, 0, 180]);
    expect(Object.is(westernLongitude(360), 0) && Object.is(westernLongitude(360 - 1e-12), 0)).toBe(true);
    expect(westernLongitude(Number.NaN)).toBeNaN();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dataset, gapFilled, memoryDataset, type Origin } from '../../../src/service/source/index.js';
import { type Series, twinFillGaps } from '../../reference/fill-gaps.js';
import { history, LateDataset, readValues } from './histories.js';

const { NaN: missing } = Number;

describe('gapFilled', () => {
  const filled = gapFilled([
    { name: 'era5', data: history(100, [1, null, 3]) },
    { name: 'analysis', data: history(101, [20, 30, 40, null]) },
    { name: 'forecast', data: history(104, [500, null, 700]) },
  ]);

  it('takes each day from the first source that has a value', async () => {
    expect(filled.variables.get('precipitation')).toMatchObject({ firstDay: 100, days: 7, members: 1 });
    expect(await readValues(filled)).toEqual([1, 20, 3, 40, 500, missing, 700]);
  });

  it('lists which consecutive days are from which source, without days that have no value', () => {
    expect(filled.origins!('precipitation', 0)).toEqual([
      { name: 'era5', firstDay: 100, lastDay: 100 },
      { name: 'analysis', firstDay: 101, lastDay: 101 },
      { name: 'era5', firstDay: 102, lastDay: 102 },
      { name: 'analysis', firstDay: 103, lastDay: 103 },
      { name: 'forecast', firstDay: 104, lastDay: 104 },
      { name: 'forecast', firstDay: 106, lastDay: 106 },
    ]);
  });

  it('has days before those of the first source', async () => {
    const earlier = gapFilled([
      { name: 'a', data: history(105, [5]) },
      { name: 'b', data: history(100, [1, null]) },
    ]);
    expect(await readValues(earlier)).toEqual([1, missing, missing, missing, missing, 5]);
    expect(earlier.origins!('precipitation', 0)).toEqual([
      { name: 'b', firstDay: 100, lastDay: 100 },
      { name: 'a', firstDay: 105, lastDay: 105 },
    ]);
  });

  it('has the variables of all sources', async () => {
    const wind = memoryDataset({
      revision: '7',
      latitude: Float64Array.of(50),
      longitude: Float64Array.of(5),
      variables: { wind_speed: { firstDay: 90, days: 2, members: 1, values: Float32Array.of(3, 4) } },
    });
    const both = gapFilled([
      { name: 'rain', data: history(100, [1]) },
      { name: 'wind', data: wind },
    ]);
    expect([...both.variables.keys()]).toEqual(['precipitation', 'wind_speed']);
    expect(both.variables.get('wind_speed')).toMatchObject({ firstDay: 90, days: 2 });
    expect(await readValues(both, 0, 'wind_speed')).toEqual([3, 4]);
    expect(both.origins!('wind_speed', 0)).toEqual([{ name: 'wind', firstDay: 90, lastDay: 91 }]);
  });

  it("takes the values of the source's place that covers its own, and none where there is no such place", async () => {
    const places = gapFilled([
      { name: 'a', data: history(100, [1, null, 2, null, 3, null], [50, 51, 70]) },
      { name: 'b', data: history(100, [7, 70, 6, 60], [51.25, 50.25]) },
    ]);
    expect(places.places.latitude).toEqual(Float64Array.of(50, 51, 70));
    expect(await readValues(places, 0)).toEqual([1, 60]);
    expect(await readValues(places, 1)).toEqual([2, 70]);
    expect(await readValues(places, 2)).toEqual([3, missing]);
    expect(await readValues(places, 2)).toEqual([3, missing]);
  });

  it('has another revision where any source has', () => {
    const [a, b] = [new LateDataset(history(100, [1])), new LateDataset(history(100, [1]))];
    const data = gapFilled([
      { name: 'a', data: a },
      { name: 'b', data: b },
    ]);
    const seen = new Set([data.revision]);
    a.revision = '2';
    seen.add(data.revision);
    [a.revision, b.revision] = ['1', '2'];
    seen.add(data.revision);
    expect(seen.size).toBe(3);
  });

  it('reads synchronously where its sources do, else asynchronously', async () => {
    const [first, second] = [history(100, [1, null]), history(100, [null, 2])];
    const into = new Float32Array(2);
    const read = (a: Dataset, b: Dataset) =>
      gapFilled([
        { name: 'a', data: a },
        { name: 'b', data: b },
      ]).read('precipitation', 0, into);
    expect(read(first, second)).toBeUndefined();
    expect([...into]).toEqual([1, 2]);
    for (const [a, b] of [
      [new LateDataset(first), second],
      [first, new LateDataset(second)],
      [new LateDataset(first), new LateDataset(second)],
    ]) {
      into.fill(0);
      const reading = read(a, b);
      expect(reading).toBeInstanceOf(Promise);
      await reading;
      expect([...into]).toEqual([1, 2]);
    }
  });

  it('reads a source only where those before it have gaps in its days', async () => {
    const later = new LateDataset(history(101, [20, 30]));
    const whole = gapFilled([
      { name: 'a', data: history(100, [1, 2, 3]) },
      { name: 'b', data: later },
    ]);
    expect(await readValues(whole)).toEqual([1, 2, 3]);
    expect(later.reads).toBe(0);
  });

  it('fails where a needed source fails, and reads again when that works', async () => {
    const later = new LateDataset(history(102, [3]));
    const data = gapFilled([
      { name: 'a', data: history(100, [1, 2]) },
      { name: 'b', data: later },
    ]);
    later.fault = new Error('no disk');
    await expect(readValues(data)).rejects.toThrow('no disk');
    await expect(data.origins!('precipitation', 0)).rejects.toThrow('no disk');
    later.fault = undefined;
    expect(await readValues(data)).toEqual([1, 2, 3]);
  });

  it('reads many cells at the same time without mixing them up', async () => {
    const latitudes = Array.from({ length: 60 }, (_, i) => i);
    const data = gapFilled([
      {
        name: 'a',
        data: new LateDataset(
          history(
            100,
            latitudes.flatMap((i) => [i, null, null]),
            latitudes,
          ),
        ),
      },
      {
        name: 'b',
        data: new LateDataset(
          history(
            101,
            latitudes.flatMap((i) => [100 + i]),
            latitudes,
          ),
        ),
      },
      {
        name: 'c',
        data: new LateDataset(
          history(
            101,
            latitudes.flatMap((i) => [9, 200 + i]),
            latitudes,
          ),
        ),
      },
    ]);
    for (let times = 0; times < 2; times++) {
      const all = await Promise.all(latitudes.map((cell) => readValues(data, cell)));
      expect(all).toEqual(latitudes.map((i) => [i, 100 + i, 200 + i]));
    }
  });

  it.each([
    ['no sources', [], 'sources: is empty'],
    ['a name that is empty', [{ name: '', data: history(1, [1]) }], 'sources: one has no name'],
    [
      'a name that comes twice',
      [
        { name: 'a', data: history(1, [1]) },
        { name: 'a', data: history(1, [1]) },
      ],
      'sources: two have the same name; received "a"',
    ],
  ])('rejects %s', (_, sources, message) => {
    expect(() => gapFilled(sources)).toThrow(message);
  });

  it('rejects ensembles', () => {
    const variables = { temp_mean: { firstDay: 1, days: 1, members: 2, values: Float32Array.of(1, 2) } };
    const data = memoryDataset({
      revision: '1',
      latitude: Float64Array.of(1),
      longitude: Float64Array.of(1),
      variables,
    });
    expect(() => gapFilled([{ name: 'a', data }])).toThrow('temp_mean: has several members; received 2');
  });
});

describe('gapFilled agrees with its slow twin', () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 500 }), { freq: 2 }), { minLength: 1, maxLength: 20 });
  const source = fc.record({ firstDay: fc.integer({ min: 1000, max: 1025 }), values, isLate: fc.boolean() });

  it('in values and origins, for sources of any days, synchronous or not', async () => {
    const examples = fc.array(source, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(examples, async (sources) => {
        const named = sources.map(({ firstDay, values, isLate }, i) => {
          const data = history(firstDay, values);
          return { name: `source ${i}`, data: isLate ? new LateDataset(data) : data };
        });
        const series = sources.map(({ firstDay, values }, i) => ({
          name: `source ${i}`,
          series: new Map(values.map((value, day) => [firstDay + day, value])) as Series,
        }));
        const twin = twinFillGaps(series);
        const data = gapFilled(named);
        expect(data.variables.get('precipitation')).toMatchObject({ firstDay: twin[0].day, days: twin.length });
        expect(await readValues(data)).toEqual(twin.map(({ value }) => value ?? missing));
        expect(daysOf(await data.origins!('precipitation', 0))).toEqual(
          twin.flatMap(({ day, origin }) => (origin === null ? [] : `${day} ${origin}`)),
        );
      }),
      { numRuns: 200, seed: 20_221_002 },
    );
  });

  /** Each day by itself; fails where two runs could be one. */
  function daysOf(runs: readonly Origin[]): string[] {
    runs.slice(1).forEach(({ name, firstDay }, i) => {
      expect(`${runs[i].name} ${runs[i].lastDay + 1}`).not.toBe(`${name} ${firstDay}`);
    });
    return runs.flatMap(({ name, firstDay, lastDay }) =>
      Array.from({ length: lastDay - firstDay + 1 }, (_, i) => `${firstDay + i} ${name}`),
    );
  }
});

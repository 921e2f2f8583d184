import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Axis } from '../../../../src/service/source/dataset.js';
import { beginUpdate, openStore } from '../../../../src/service/source/folder/index.node.js';
import { AXIS, commitForecast, fileOf, gridOf, HEADER, newFolder, opened, valuesOf, write } from './stores.js';

const examples = fc.record({
  axis: fc.record({
    firstDay: fc.integer({ min: -10_000, max: 30_000 }),
    days: fc.integer({ min: 1, max: 40 }),
    members: fc.integer({ min: 1, max: 12 }),
  }),
  cells: fc.integer({ min: 1, max: 30 }),
  block: fc.integer({ min: 1, max: 30 }),
});

describe('a store in a folder', () => {
  it('gives the values that were written, by direct reads and by threads', async () => {
    await fc.assert(
      fc.asyncProperty(examples, async (example) => {
        const dir = newFolder();
        await commitForecast(dir, example);
        const values = valuesOf(example);
        expect(await allValues(dir, example, 'direct')).toEqual(values);
        expect(await allValues(dir, example, 'threads')).toEqual(values);
      }),
      { numRuns: 8, seed: 20_221_002 },
    );
  });

  it('has a block for each place, with its digest, and a footer that says what they are', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 5 });
    const bytes = readFileSync(await fileOf(dir));
    const width = AXIS.days * AXIS.members * 4;
    expect([bytes.toString('latin1', 0, 8), bytes.toString('latin1', bytes.length - 8)]).toEqual([
      'PLUMEBLK',
      'PLUMEBLK',
    ]);
    expect([0, 1, 2, 3].map((cell) => bytes.readFloatLE(8 + cell * (width + 4)))).toEqual([5, 20, 35, 50]);
    const footer = bytes.readUInt32LE(bytes.length - 16);
    expect(8 + 4 * (width + 4) + footer + 16).toBe(bytes.length);
    expect(JSON.parse(bytes.toString('utf8', bytes.length - 16 - footer, bytes.length - 16))).toEqual({
      ...{ kind: 'plumecast blocks', version: 1, variable: 'temp_mean', units: 'degC', firstDate: '2024-05-01' },
      ...{ days: 5, members: 3, places: 4, codec: 'raw' },
    });
  });

  it('keeps missing values as NaN', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    const axis = { firstDay: 0, days: 2, members: 1 };
    const blocks = [Float32Array.of(1, Number.NaN), Float32Array.of(Number.NaN, -0)];
    await update.write('timeline', { slug: 'precipitation', units: 'mm', axis, places: gridOf(2), blocks });
    await update.commit();
    const store = await opened(dir);
    const { forecast } = await store.snapshot();
    const into = new Float32Array(2);
    await forecast?.timeline.read('precipitation', 1, into);
    expect(into).toEqual(Float32Array.of(Number.NaN, -0));
  });

  it('keeps axes, places and the header of the forecast', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    update.setForecast({ ...HEADER, nextInitTime: '2024-05-02T00:00:00Z' });
    await write(update);
    await write(update, { slug: 'precipitation', axis: { ...AXIS, days: 2 } });
    await write(update, { part: 'short-term', cells: 3 });
    await write(update, { part: 'fine-timeline', cells: 2 });
    update.setAttribution('Data: an example.');
    await update.commit();
    const store = await opened(dir);
    const { forecast, history, attribution, elevation } = await store.snapshot();
    expect(forecast).toMatchObject({
      initTime: '2024-05-01T00:00:00Z',
      version: 'v12',
      generation: 'first',
      nextInitTime: '2024-05-02T00:00:00Z',
    });
    expect(forecast?.timeline.variables).toEqual(
      new Map<string, Axis>([
        ['temp_mean', AXIS],
        ['precipitation', { ...AXIS, days: 2 }],
      ]),
    );
    expect(forecast?.timeline.places.nearest({ latitude: 36.6, longitude: -80.2 })).toBe(1);
    expect(forecast?.fineTimeline?.places.latitude).toHaveLength(2);
    expect(Object.keys(forecast?.horizons ?? {})).toEqual(['short-term']);
    expect(forecast?.horizons['short-term']?.initTime).toBe('2024-05-01T00:00:00Z');
    expect([history, attribution, elevation]).toEqual([undefined, 'Data: an example.', undefined]);
  });

  it('has one index of places for all parts on the same grid', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    await write(update);
    await write(update, { part: 'short-term' });
    await update.commit();
    const { forecast } = await (await opened(dir)).snapshot();
    expect(forecast?.horizons['short-term']?.data.places).toBe(forecast?.timeline.places);
  });

  it('opens a store of 10,000 cells, and reads the last one', async () => {
    const dir = newFolder();
    const example = { axis: { firstDay: 0, days: 7, members: 2 }, cells: 10_000, block: 999 };
    await commitForecast(dir, example);
    const { forecast } = await (await opened(dir)).snapshot();
    const into = new Float32Array(14);
    await forecast?.timeline.read('temp_mean', 9_999, into);
    expect(into).toEqual(valuesOf(example).subarray(-14));
  });
});

async function allValues(dir: string, { axis, cells }: { axis: Axis; cells: number }, reads: 'direct' | 'threads') {
  const store = await openStore(dir, { reads });
  const { forecast } = await store.snapshot();
  const width = axis.members * axis.days;
  const values = new Float32Array(cells * width);
  for (let cell = 0; cell < cells; cell++) {
    await forecast?.timeline.read('temp_mean', cell, values.subarray(cell * width, (cell + 1) * width));
  }
  await store.close();
  return values;
}

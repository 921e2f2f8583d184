import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
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
  it('gives the values that were written, by direct reads, by threads and by apache-arrow', async () => {
    await fc.assert(
      fc.asyncProperty(examples, async (example) => {
        const dir = newFolder();
        await commitForecast(dir, example);
        const values = valuesOf(example);
        expect(await allValues(dir, example, 'direct')).toEqual(values);
        expect(await allValues(dir, example, 'threads')).toEqual(values);
        const table = await tableOf(dir);
        const lists = table.getChild('values')?.getChildAt(0);
        expect(lists?.toArray()).toEqual(values);
        expect(table.getChild('latitude')?.toArray()).toEqual(gridOf(example.cells).latitude);
        expect(table.getChild('longitude')?.toArray()).toEqual(gridOf(example.cells).longitude);
      }),
      { numRuns: 8, seed: 20_221_002 },
    );
  });

  it('has files of several record batches, each of complete cells', async () => {
    const dir = newFolder();
    const example = { axis: { firstDay: 0, days: 400_000, members: 1 }, cells: 12, block: 1 };
    await commitForecast(dir, example);
    const table = await tableOf(dir);
    expect(table.batches.map(({ numRows }) => numRows)).toEqual([5, 5, 2]);
    const { forecast } = await (await opened(dir)).snapshot();
    for (const cell of [0, 4, 5, 9, 10, 11]) {
      const into = new Float32Array(400_000);
      await forecast?.timeline.read('temp_mean', cell, into);
      expect([into[0], into[399_999]]).toEqual([cell * 400_000, cell * 400_000 + 399_999].map(Math.fround));
    }
  });

  it('states the days and members of a file in its metadata', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    expect(Object.fromEntries((await tableOf(dir)).schema.metadata)).toEqual({
      variable: 'temp_mean',
      units: 'degC',
      first_date: '2024-05-01',
      days: '5',
      members: '3',
      order: 'members, days',
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

async function tableOf(dir: string) {
  return tableFromIPC(readFileSync(await fileOf(dir)));
}

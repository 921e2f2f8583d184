import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { blendedDataset, ingestForecast } from '../../../src/service/ingest/index.js';
import type { Axis, Dataset } from '../../../src/service/source/dataset.js';
import { HORIZONS, type HorizonName } from '../../../src/variable/availability.js';
import { filesOf, horizonTables, LOCATIONS, RecordingWriter } from './recording-writer.js';

let core: Core;
const writer = new RecordingWriter();
const horizons: Partial<Record<HorizonName, Dataset>> = {};
beforeAll(async () => {
  core = await loadCore();
  await ingestForecast(core, writer, { files: HORIZONS.flatMap((name) => filesOf(name, horizonTables(name))) });
  for (const name of HORIZONS) horizons[name] = writer.dataset(name);
});

async function valuesAt(dataset: Dataset, slug: string, cell: number): Promise<Float32Array> {
  const { days, members } = dataset.variables.get(slug) ?? { days: 0, members: 0 };
  const values = new Float32Array(days * members);
  await dataset.read(slug, cell, values);
  return values;
}

describe('blendedDataset', () => {
  it('gives the timeline that ingesting stores, place by place', async () => {
    const [blended, stored] = [blendedDataset(core, horizons), writer.dataset('timeline')];
    expect(new Map([...blended.variables].sort())).toEqual(new Map([...stored.variables].sort()));
    for (const slug of stored.variables.keys()) {
      for (const cell of LOCATIONS.keys()) {
        expect(await valuesAt(blended, slug, cell)).toEqual(await valuesAt(stored, slug, cell));
      }
    }
  });

  it('looks for other places where the sampled ones have no values', async () => {
    const locations = Array.from({ length: 144 }, (_, i) => {
      return { latitude: 40 + 0.1 * Math.floor(i / 12), longitude: 10 + 0.1 * (i % 12) };
    });
    const made = new RecordingWriter();
    const files = HORIZONS.flatMap((name) => filesOf(name, horizonTables(name, { locations })));
    await ingestForecast(core, made, { files });
    const sea = (dataset: Dataset): Dataset => ({
      ...dataset,
      read: async (slug, cell, into) => {
        if (cell % 3 !== 1) into.fill(Number.NaN);
        else await dataset.read(slug, cell, into);
      },
    });
    const reads: number[] = [];
    const counted = (dataset: Dataset): Dataset => ({
      ...dataset,
      read: (slug, cell, into) => {
        reads.push(cell);
        return sea(dataset).read(slug, cell, into);
      },
    });
    const [short, sub, seasonal] = HORIZONS.map((name) => made.dataset(name));
    const blended = blendedDataset(core, {
      'short-term': counted(short),
      subseasonal: sea(sub),
      seasonal: sea(seasonal),
    });
    const values = await valuesAt(blended, 'temp_mean', 13);
    expect(values.some((value) => !Number.isNaN(value))).toBe(true);
    // Of each part of the field, the next places are tried until one has values.
    expect(new Set(reads.filter((cell) => cell % 3 === 1)).size).toBe(20);
    expect(new Set(reads).size).toBeLessThan(144);
  });

  it('is one horizon where there is but one', async () => {
    const { seasonal } = horizons;
    const blended = blendedDataset(core, { seasonal });
    expect(await valuesAt(blended, 'precipitation', 1)).toEqual(
      await valuesAt(seasonal as Dataset, 'precipitation', 1),
    );
  });

  it('finds the places of coarser horizons by their coordinates, with missing values where there is none', async () => {
    const one = new RecordingWriter();
    const far = horizonTables('seasonal', { locations: [LOCATIONS[1], { latitude: 60, longitude: 10 }] });
    await ingestForecast(core, one, { files: filesOf('seasonal', far) });
    const blended = blendedDataset(core, { ...horizons, seasonal: one.dataset('seasonal') });
    const away = new RecordingWriter();
    const only = horizonTables('seasonal', { locations: [{ latitude: 60, longitude: 10 }] });
    await ingestForecast(core, away, { files: filesOf('seasonal', only) });
    const elsewhere = blendedDataset(core, { ...horizons, seasonal: away.dataset('seasonal') });
    const [found, missing, own] = [
      await valuesAt(blended, 'precipitation', 1),
      await valuesAt(elsewhere, 'precipitation', 1),
      await valuesAt(one.dataset('seasonal'), 'precipitation', 0),
    ];
    const { days } = blended.variables.get('precipitation') as Axis;
    const last = (values: Float32Array, length: number, members: number) =>
      Array.from({ length: members }, (_, m) => values.slice(m * length + 50, m * length + days).join());
    const axis = one.dataset('seasonal').variables.get('precipitation') as Axis;
    // After both seams each trajectory is a member of the seasonal run at its nearest place.
    const known = last(own, axis.days, axis.members);
    expect(known).toEqual(expect.arrayContaining(last(found, days, 9)));
    expect(last(missing, days, 9).every((text) => /^(NaN,?)+$/.test(text))).toBe(true);
  });

  it('tries again what has failed', async () => {
    let failures = 1;
    const failing: Dataset = {
      ...(horizons.seasonal as Dataset),
      read: async (...args) => {
        if (failures-- > 0) throw new Error('for a moment');
        await horizons.seasonal?.read(...args);
      },
    };
    const blended = blendedDataset(core, { ...horizons, seasonal: failing });
    await expect(valuesAt(blended, 'temp_mean', 0)).rejects.toThrow('for a moment');
    expect(await valuesAt(blended, 'temp_mean', 0)).toEqual(await valuesAt(writer.dataset('timeline'), 'temp_mean', 0));
  });

  it('changes its revision with any of its horizons', () => {
    const seasonal = { ...(horizons.seasonal as Dataset), revision: 'new' };
    expect(blendedDataset(core, { ...horizons, seasonal }).revision).not.toBe(blendedDataset(core, horizons).revision);
  });

  it('rejects an empty list of horizons, and a variable to pair by that a horizon does not have', () => {
    expect(() => blendedDataset(core, {})).toThrow(/horizons: is empty/);
    expect(() => blendedDataset(core, horizons, { pairBy: 'wind_speed_max' })).toThrow(
      /pairBy: is not a variable of subseasonal, seasonal; received "wind_speed_max"/,
    );
  });
});

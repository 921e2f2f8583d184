import { Schema, Table, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology, climatologyTable } from '../../../src/climate/index.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import {
  type DataFile,
  type ForecastFile,
  type ForecastInput,
  type HistoryInput,
  ingestClimatology,
  ingestElevation,
  ingestForecast,
  ingestHistory,
} from '../../../src/service/ingest/index.js';
import {
  beginUpdate,
  describeStore,
  type HistoryPart,
  type StoreUpdate,
} from '../../../src/service/source/folder/index.node.js';
import { isFullCheck } from '../../full-check.js';
import { contentsOf, newFolder } from '../source/folder/stores.js';
import { filesOf, horizonTables, LOCATIONS, TODAY } from './recording-writer.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const NEWER = { initDate: TODAY + 7 };

function only(tables: Record<string, Table>, ...slugs: string[]): Record<string, Table> {
  return Object.fromEntries(slugs.map((slug) => [slug, tables[slug]]));
}

const PAIR = ['temp_mean', 'precipitation'];
const shortTerm = (options = {}, slugs = PAIR) =>
  filesOf('short-term', only(horizonTables('short-term', options), ...slugs));
const seasonal = (options = {}) => filesOf('seasonal', only(horizonTables('seasonal', options), ...PAIR));
const fine = (options = {}) => filesOf('short-term', only(horizonTables('short-term', options), 'temp_mean'), true);
const fineSeasonal = () => filesOf('seasonal', only(horizonTables('seasonal'), 'temp_mean'), true);
const ELSEWHERE = LOCATIONS.map(({ latitude, longitude }) => ({ latitude: -latitude, longitude }));

/** A file whose values of some rows are missing. */
function withGaps(file: DataFile, isMissing: (row: number) => boolean): DataFile {
  const load = async () => {
    const table = (await file.load()) as Table;
    const names = table.schema.fields.map(({ name }) => name);
    const columns = names.map((name) => {
      const values = [...table.getChild(name)!];
      return [
        name,
        vectorFromArray(
          /^(date|latitude|longitude)$/.test(name)
            ? values
            : values.map((value, row) => (isMissing(row) ? null : value)),
          table.getChild(name)!.type,
        ),
      ];
    });
    const made = new Table(Object.fromEntries(columns));
    return new Table(new Schema(made.schema.fields, table.schema.metadata), made.batches);
  };
  return { ...file, load };
}

/** Puts a forecast into a store; the store stays as it is where that fails. */
async function put(dir: string, input: ForecastInput): Promise<void> {
  const update = await beginUpdate(dir);
  await ingestForecast(core, update, input).then(
    () => update.commit(),
    async (error) => {
      await update.abandon();
      throw error;
    },
  );
}

async function storeOf(input: ForecastInput): Promise<string> {
  const dir = newFolder();
  await put(dir, input);
  return dir;
}

const horizonsOf = async (dir: string) => Object.keys((await describeStore(dir)).forecast!.horizonInitTimes);

describe('a forecast for a store that has one', () => {
  it('replaces it by a newer run of the same horizons, or by the same run again', async () => {
    const dir = await storeOf({ files: [...shortTerm(), ...seasonal()] });
    await put(dir, { files: [...shortTerm(), ...seasonal()] });
    await put(dir, { files: [...shortTerm(NEWER), ...seasonal()] });
    expect((await describeStore(dir)).forecast?.horizonInitTimes).toEqual({
      'short-term': '2026-03-09T00:00:00Z',
      seasonal: '2026-03-02T00:00:00Z',
    });
  });

  it('keeps the horizons that are not given, also with replace', async () => {
    const dir = await storeOf({ files: [...shortTerm(), ...seasonal()] });
    await put(dir, { files: shortTerm(NEWER) });
    expect(await horizonsOf(dir)).toEqual(['short-term', 'seasonal']);
    await put(dir, { files: shortTerm({ initDate: TODAY + 8 }), replace: true });
    expect(await horizonsOf(dir)).toEqual(['short-term', 'seasonal']);
  });

  it('of an older run is an error that names both times, unless allowOlder is set', async () => {
    const dir = await storeOf({ files: [...shortTerm(NEWER), ...seasonal()] });
    const files = [...shortTerm(), ...seasonal()];
    const older =
      'forecast: is an older run than the store has; received "short-term 2026-03-02T00:00:00Z"; ' +
      'allowed: short-term 2026-03-09T00:00:00Z or later; allowOlder: true replaces a run by an older one';
    await expect(put(dir, { files })).rejects.toThrow(older);
    await expect(put(dir, { files, replace: true })).rejects.toThrow(older);
    await put(dir, { files, allowOlder: true });
    expect((await describeStore(dir)).forecast?.initTime).toBe('2026-03-02T00:00:00Z');
  });

  it.each([
    ['places in a newer run', () => shortTerm({ ...NEWER, locations: LOCATIONS.slice(1) }), '1 of 3 places'],
    ['all places, for as many others', () => shortTerm({ locations: ELSEWHERE }), '3 of 3 places'],
    [
      'values of the same run',
      () => [withGaps(shortTerm()[0], (row) => row % 15 > 12) as ForecastFile, shortTerm()[1]],
      '54 of 405 values of temp_mean, 2026-03-15 to 2026-03-16',
    ],
    [
      'members of the same run',
      () => shortTerm({ members: 4 }),
      'temp_mean of short-term, 5 of 9 members; precipitation',
    ],
    ['days of the same run', () => shortTerm({ days: 10 }), 'temp_mean of short-term, 2026-03-12 to 2026-03-16'],
  ])('that would lose %s is an error', async (_, files, lost) => {
    const dir = await storeOf({ files: shortTerm() });
    await expect(put(dir, { files: files() })).rejects.toThrow(`the store would lose ${lost}`);
    await put(dir, { files: files(), replace: true });
  });

  it('that would lose days at 1 km is an error', async () => {
    const coarse = [...shortTerm(), ...seasonal()];
    const dir = await storeOf({ files: [...coarse, ...fine(), ...fineSeasonal()] });
    const days = 'the store would lose temp_mean of fine-short-term, 2026-03-12 to 2026-03-16; allowed';
    await expect(put(dir, { files: [...coarse, ...fine({ days: 10 }), ...fineSeasonal()] })).rejects.toThrow(days);
  });

  it('may have fewer members and days in a newer run', async () => {
    const dir = await storeOf({ files: shortTerm() });
    await put(dir, { files: shortTerm({ ...NEWER, members: 5, days: 10 }) });
    expect((await describeStore(dir)).parts.get('short-term')?.variables.get('temp_mean')?.axis.members).toBe(5);
  });

  it('takes true or false alone for its options', async () => {
    const input = { files: shortTerm(), replace: 'yes' } as unknown as ForecastInput;
    await expect(storeOf(input)).rejects.toThrow('input.replace: cannot be used; received "yes"');
  });
});

/** Daily values of a history, from some days after `TODAY` on. */
const daysOf = (from: number, days: number, locations = LOCATIONS) => {
  const tables = horizonTables('short-term', { initDate: TODAY + from, days, members: 1, locations });
  return Object.entries(only(tables, 'temp_mean')).map(([source, table]) => ({ source, load: async () => table }));
};

async function putHistory(dir: string, ...parts: [HistoryPart, HistoryInput][]): Promise<void> {
  const update = await beginUpdate(dir);
  try {
    for (const [part, input] of parts) await ingestHistory(update, part, input);
    await update.commit();
  } finally {
    await update.abandon();
  }
}

/** The values of the first place of a history, by day from `TODAY` on. */
async function historyOf(dir: string, part: HistoryPart = 'reanalysis') {
  const writer = await beginUpdate(dir);
  const dataset = await writer.storedPart(part);
  const axis = dataset!.variables.get('temp_mean')!;
  const values = new Float32Array(axis.days);
  await dataset!.read('temp_mean', 0, values);
  await writer.abandon();
  return { first: axis.firstDay - TODAY, values: [...values] };
}

describe('a history for a store that has one', () => {
  it('adds days to it, and replaces those that it has, except by missing values', async () => {
    const dir = newFolder();
    await putHistory(dir, ['reanalysis', { files: daysOf(0, 20) }]);
    const before = await historyOf(dir);
    await putHistory(dir, ['reanalysis', { files: daysOf(18, 5) }]);
    const after = await historyOf(dir);
    expect([after.first, after.values.length]).toEqual([0, 23]);
    expect(after.values.slice(0, 18)).toEqual(before.values.slice(0, 18));
    const gaps = [withGaps(daysOf(3, 4)[0], (row) => row % 4 > 0)];
    await putHistory(dir, ['reanalysis', { files: gaps }]);
    const corrected = (await historyOf(dir)).values;
    expect(corrected[3]).not.toBe(after.values[3]);
    expect(corrected.map((value, day) => (day === 3 ? 0 : value))).toEqual(
      after.values.map((value, day) => (day === 3 ? 0 : value)),
    );
  });

  it('may be of some of its places, and of others only with all that it has, or replace', async () => {
    const dir = newFolder();
    await putHistory(dir, ['reanalysis', { files: daysOf(0, 20) }]);
    const before = await historyOf(dir);
    await putHistory(dir, ['reanalysis', { files: daysOf(5, 20, LOCATIONS.slice(1)) }]);
    const after = await historyOf(dir);
    expect(after.values.slice(0, 20)).toEqual(before.values);
    expect(after.values.slice(20).every(Number.isNaN)).toBe(true);
    await expect(putHistory(dir, ['reanalysis', { files: daysOf(0, 20, ELSEWHERE) }])).rejects.toThrow(
      'reanalysis: the store would lose 3 of 3 places; allowed',
    );
    await putHistory(dir, ['reanalysis', { files: daysOf(0, 20, ELSEWHERE), replace: true }]);
    expect((await historyOf(dir)).values).toHaveLength(20);
  });

  if (isFullCheck)
    it('that grows day by day has few files, and writes no day more than some times', async () => {
      const dir = newFolder();
      await putHistory(dir, ['reanalysis', { files: daysOf(0, 500) }]);
      const expected = [...(await historyOf(dir)).values];
      for (let day = 500; day < 530; day++) {
        await putHistory(dir, ['reanalysis', { files: daysOf(day, 1) }]);
        expected.push((await historyOf(dir)).values[day]);
      }
      expect((await historyOf(dir)).values).toEqual(expected);
      const { segments } = (await contentsOf(dir)).parts.get('reanalysis')!.variables.get('temp_mean')!;
      expect([segments[0].days, segments.length < 7]).toEqual([500, true]);
      expect(segments.reduce((sum, { days }) => sum + days, 0)).toBe(530);
    });
});

/** Does something with an update of a store, and ends it. */
async function update(dir: string, work: (writer: StoreUpdate) => Promise<void>): Promise<void> {
  const writer = await beginUpdate(dir);
  try {
    await work(writer);
    await writer.commit();
  } finally {
    await writer.abandon();
  }
}

describe('a climatology or elevations for a store that has them', () => {
  it('that would lose places or normal values is an error, unless replace is set', async () => {
    const dir = newFolder();
    const normal = (days: number, locations = LOCATIONS) => {
      const { temp_mean } = horizonTables('seasonal', { initDate: TODAY - 6000, days, members: 1, locations });
      return [
        {
          source: 'normal',
          load: async () =>
            climatologyTable(climatology(core, temp_mean, { granularity: 'monthly', fewerYears: true })),
        },
      ];
    };
    const putNormal = (files: ReturnType<typeof normal>, replace?: boolean) =>
      update(dir, (writer) => ingestClimatology(writer, 'observations', { files, replace }));
    await putNormal(normal(800));
    await putNormal(normal(800));
    await expect(putNormal(normal(800, LOCATIONS.slice(1)))).rejects.toThrow(
      'climatology of observations, normal: the store would lose 1 of 3 places; allowed',
    );
    await expect(putNormal(normal(200))).rejects.toThrow(/the store would lose \d+ of 36 normal values; allowed/);
    await putNormal(normal(200), true);
  });

  it('that would lose places with an elevation is an error, unless replace is set', async () => {
    const dir = newFolder();
    const heights = (metres: number[]) =>
      tableFromArrays({
        latitude: Float64Array.from(LOCATIONS.slice(0, metres.length), ({ latitude }) => latitude),
        longitude: Float64Array.from(LOCATIONS.slice(0, metres.length), ({ longitude }) => longitude),
        elevation: Float32Array.from(metres),
      });
    const putHeights = (metres: number[], replace?: boolean) =>
      update(dir, (writer) => ingestElevation(writer, heights(metres), 'dem', { replace }));
    await putHeights([100, 200, Number.NaN]);
    await putHeights([110, 210, Number.NaN]);
    await expect(putHeights([100])).rejects.toThrow('elevation: the store would lose 1 of 3 places; allowed');
    await expect(putHeights([100, Number.NaN, 300])).rejects.toThrow('the store would lose 1 of 3 places');
    await putHeights([100], true);
  });
});

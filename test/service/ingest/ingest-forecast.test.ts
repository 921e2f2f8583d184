import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { blendVariables } from '../../../src/blend/index.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { ingestForecast } from '../../../src/service/ingest/index.js';
import { locationRows, wideTable } from '../../../src/table/build/wide-table.js';
import { readEnsemble } from '../../../src/table/rows/read-ensemble.js';
import { HORIZONS, type HorizonName } from '../../../src/variable/availability.js';
import { filesOf, horizonTables, LOCATIONS, RecordingWriter, TODAY } from './recording-writer.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The three horizons' tables, with the variables that the registry says each has. */
const TABLES = Object.fromEntries(HORIZONS.map((horizon) => [horizon, horizonTables(horizon)])) as Record<
  HorizonName,
  Record<string, Table>
>;

async function ingested(input: Partial<Parameters<typeof ingestForecast>[2]> = {}) {
  const writer = new RecordingWriter();
  const notices: string[] = [];
  const files = HORIZONS.flatMap((horizon) => filesOf(horizon, TABLES[horizon]));
  await ingestForecast(core, writer, { files, onNotice: (text) => notices.push(text), ...input });
  return { writer, notices };
}

/** The values of a table place by place, member by member, day by day. */
function valuesOf(table: Table, days: number): number[] {
  const [{ field }] = readEnsemble(table).parts;
  const all: number[] = [];
  for (let cell = 0; cell < field.cells; cell++) {
    for (const member of field.members) {
      for (let day = 0; day < days; day++) all.push(member.value(cell * field.days + day));
    }
  }
  return all;
}

function only(slugs: readonly string[], tables: Record<string, Table>): Record<string, Table> {
  return Object.fromEntries(slugs.map((slug) => [slug, tables[slug]]));
}

describe('ingestForecast', () => {
  it('writes each horizon as it is: place by place, member by member, day by day', async () => {
    const { writer } = await ingested();
    for (const horizon of HORIZONS) {
      const { axis, units, values, latitude } = writer.recorded(horizon, 'precipitation');
      const { numRows, numCols } = TABLES[horizon].precipitation;
      expect([units, latitude]).toEqual(['mm', LOCATIONS.map((place) => place.latitude)]);
      expect(axis).toEqual({ firstDay: TODAY, days: numRows / LOCATIONS.length, members: numCols - 3 });
      expect([...values]).toEqual(valuesOf(TABLES[horizon].precipitation, axis.days));
    }
  });

  it('writes the timeline that blendVariables makes', async () => {
    const { writer } = await ingested();
    const slugs = ['temp_mean', 'precipitation', 'solar_radiation'];
    const timelines = blendVariables(
      core,
      HORIZONS.map((horizon) => only(slugs, TABLES[horizon])),
    );
    for (const slug of slugs) {
      const { axis, values } = writer.recorded('timeline', slug);
      expect(axis).toMatchObject({ firstDay: TODAY, days: 80, members: 9 });
      expect([...values]).toEqual(valuesOf(timelines[slug].table, 80));
    }
  });

  it('states the days of each horizon that a variable has in the timeline', async () => {
    const { writer } = await ingested();
    const horizonsOf = (slug: string) => writer.recorded('timeline', slug).axis.horizons;
    // The seams that `blend` states are on the 13th and the 36th day.
    expect(horizonsOf('precipitation')).toEqual([
      { horizon: 'short-term', firstDay: TODAY, lastDay: TODAY + 14 },
      { horizon: 'subseasonal', firstDay: TODAY + 12, lastDay: TODAY + 41 },
      { horizon: 'seasonal', firstDay: TODAY + 35, lastDay: TODAY + 79 },
    ]);
    expect(horizonsOf('wind_speed_max')).toEqual([{ horizon: 'short-term', firstDay: TODAY, lastDay: TODAY + 14 }]);
    expect(horizonsOf('wind_gust_max')).toEqual([{ horizon: 'short-term', firstDay: TODAY, lastDay: TODAY + 9 }]);
    expect(writer.recorded('subseasonal', 'precipitation').axis.horizons).toBeUndefined();
  });

  it('leaves a horizon out that does not have the variable', async () => {
    const { precipitation: _, ...others } = TABLES.subseasonal;
    const tables = { ...TABLES, subseasonal: others };
    const { writer } = await ingested({ files: HORIZONS.flatMap((horizon) => filesOf(horizon, tables[horizon])) });
    expect(writer.recorded('timeline', 'precipitation').axis.horizons).toEqual([
      { horizon: 'short-term', firstDay: TODAY, lastDay: TODAY + 14 },
      { horizon: 'seasonal', firstDay: TODAY + 35, lastDay: TODAY + 79 },
    ]);
  });

  it('leaves out variables that are not part of a horizon, with a notice', async () => {
    const { writer, notices } = await ingested();
    const has = (part: HorizonName, slug: string) => writer.parts.get(part)?.has(slug);
    expect(HORIZONS.map((horizon) => has(horizon, 'wind_speed_max'))).toEqual([true, false, false]);
    expect(notices).toContain(
      'seasonal/wind_gust_max: wind_gust_max is left out: it is not part of seasonal forecasts',
    );
    expect(notices.filter((notice) => notice.includes('is left out'))).toHaveLength(4);
    expect(writer.recorded('timeline', 'wind_speed_max').axis.days).toBe(15);
  });

  it('ends gusts with lead 9, in the horizon and in the timeline', async () => {
    const { writer } = await ingested();
    for (const part of ['short-term', 'timeline'] as const) {
      const { axis, values } = writer.recorded(part, 'wind_gust_max');
      expect(axis.days).toBe(10);
      expect([...values]).toEqual(valuesOf(TABLES['short-term'].wind_gust_max, 10));
    }
  });

  it('begins with the first UTC day that a run covers completely', async () => {
    const files = filesOf('short-term', only(['temp_mean'], TABLES['short-term']));
    const { writer } = await ingested({ files, initTime: '2026-03-02T06:00' });
    expect(writer.header?.initTime).toBe('2026-03-02T06:00:00Z');
    expect(writer.recorded('short-term', 'temp_mean').axis).toEqual({ firstDay: TODAY + 1, days: 14, members: 9 });
    expect(writer.recorded('timeline', 'temp_mean').axis.firstDay).toBe(TODAY + 1);
  });

  it('drops the days of later horizons that lie before today when blending, and keeps them in the horizon', async () => {
    const early = horizonTables('seasonal', { initDate: TODAY - 20, days: 100 });
    const files = [
      ...filesOf('short-term', only(['temp_mean'], TABLES['short-term'])),
      ...filesOf('seasonal', only(['temp_mean'], early)),
    ];
    const { writer } = await ingested({ files });
    expect(writer.recorded('timeline', 'temp_mean').axis).toMatchObject({ firstDay: TODAY, days: 80, members: 9 });
    expect(writer.recorded('seasonal', 'temp_mean').axis).toEqual({ firstDay: TODAY - 20, days: 100, members: 13 });
    expect(writer.header?.horizonInitTimes).toEqual({
      'short-term': '2026-03-02T00:00:00Z',
      seasonal: '2026-02-10T00:00:00Z',
    });
  });

  it('accepts a missing horizon: a gap stays a gap', async () => {
    const late = horizonTables('seasonal', { initDate: TODAY + 20, days: 30 });
    const files = [
      ...filesOf('short-term', only(['temp_mean'], TABLES['short-term'])),
      ...filesOf('seasonal', only(['temp_mean'], late)),
    ];
    const { writer } = await ingested({ files });
    const { axis, values } = writer.recorded('timeline', 'temp_mean');
    expect(axis.days).toBe(50);
    expect([...values.subarray(0, 50)].map(Number.isNaN)).toEqual(
      Array.from({ length: 50 }, (_, day) => day >= 15 && day < 20),
    );
  });

  it('leaves the days of a horizon without a variable missing where a later horizon has it', async () => {
    const slugs = ['temp_mean', 'precipitation'];
    const files = [
      ...filesOf('short-term', only(slugs, TABLES['short-term'])),
      ...filesOf('subseasonal', only(['temp_mean'], TABLES.subseasonal)),
      ...filesOf('seasonal', only(slugs, TABLES.seasonal)),
    ];
    const { writer } = await ingested({ files });
    const { axis, values } = writer.recorded('timeline', 'precipitation');
    const missing = [...values.subarray(0, axis.days)].map(Number.isNaN);
    expect([missing[0], missing[20], missing[axis.days - 1]]).toEqual([false, true, false]);
  });

  it('stores the 1 km timeline of downscalable variables', async () => {
    const files = HORIZONS.flatMap((horizon) => [
      ...filesOf(horizon, only(['temp_mean'], TABLES[horizon])),
      ...filesOf(horizon, only(['temp_mean', 'precipitation'], horizonTables(horizon, { seed: 7 })), true),
    ]);
    const { writer, notices } = await ingested({ files });
    expect([...(writer.parts.get('fine-timeline')?.keys() ?? [])]).toEqual(['temp_mean']);
    expect(notices[0]).toBe('short-term/precipitation: precipitation is left out: it has no 1 km data');
  });

  it('pairs by precipitation alone where not all horizons have temp_mean, and else by the first common variable, with a notice', async () => {
    const files = HORIZONS.flatMap((horizon) => filesOf(horizon, only(['precipitation'], TABLES[horizon])));
    const { writer } = await ingested({ files });
    const alone = blendVariables(
      core,
      HORIZONS.map((horizon) => only(['precipitation'], TABLES[horizon])),
      {
        pairBy: 'precipitation',
      },
    );
    expect([...writer.recorded('timeline', 'precipitation').values]).toEqual(valuesOf(alone.precipitation.table, 80));
    const wind = HORIZONS.flatMap((horizon) => filesOf(horizon, only(['wind_speed'], TABLES[horizon])));
    expect((await ingested({ files: wind })).notices[0]).toBe(
      'members are paired by wind_speed, as not all horizons have temp_mean or precipitation',
    );
  });

  it('reports once for each horizon, or variable that ends earlier, which days are not used', async () => {
    const { notices } = await ingested();
    expect(notices.filter((notice) => !notice.includes('is left out'))).toEqual([
      'short-term/wind_gust_max: 5 days after 2026-03-11 (lead 10 on) are beyond the short-term span of wind_gust_max and not used',
      'subseasonal: 4 days after 2026-04-12 (lead 42 on) are beyond the subseasonal span and not used',
    ]);
  });

  it('says how many values derived variables will take as a limit', async () => {
    const [{ field, latitude, longitude }] = readEnsemble(TABLES['short-term'].relative_humidity).parts;
    const members = field.members.map((_, m) => {
      const values = new Float32Array(field.cells * field.days).fill(50);
      if (m < 3) values[m] = m === 0 ? -1 : 100.5;
      return values;
    });
    const table = wideTable(
      { ...locationRows({ latitude, longitude }, field), members },
      new Map([['variable', 'relative_humidity']]),
    );
    const { notices, writer } = await ingested({ files: filesOf('short-term', { relative_humidity: table }) });
    expect(notices).toContain(
      'short-term: 3 values of relative_humidity outside 0 to 100: derived variables take the limit instead',
    );
    expect(writer.recorded('short-term', 'relative_humidity').values[0]).toBe(-1);
  });

  it('names a forecast as its files state, or as the options do', async () => {
    const { writer } = await ingested();
    const { generation, pairing, complete, ...header } = writer.header ?? { generation: '' };
    expect(complete?.seasonal).toMatchObject({ members: 13, days: 80 });
    expect(pairing).toMatchObject({ method: 'field', pairBy: ['temp_mean', 'precipitation'], members: 9 });
    expect(header).toEqual({
      initTime: '2026-03-02T00:00:00Z',
      version: 'demo-1',
      nextInitTime: '2026-03-03T00:00:00Z',
      horizonInitTimes: Object.fromEntries(HORIZONS.map((horizon) => [horizon, '2026-03-02T00:00:00Z'])),
    });
    expect(generation).toMatch(/^2026-03-02T00:00:00Z-[0-9a-f]{8}$/);
    const reported = { version: 'v9', generation: 'g1', nextInitTime: '2026-03-02T18:00+06:00' };
    expect((await ingested(reported)).writer.header).toMatchObject({
      ...reported,
      nextInitTime: '2026-03-02T12:00:00Z',
    });
  });

  const temp = only(['temp_mean'], TABLES['short-term']);
  it.each([
    [
      'two files of one variable and horizon',
      { files: [...filesOf('short-term', temp), ...filesOf('short-term', temp)] },
      /has temp_mean of the short-term horizon, as short-term\/temp_mean has/,
    ],
    [
      'files of two runs as one horizon',
      {
        files: [
          ...filesOf('seasonal', temp),
          ...filesOf('seasonal', only(['precipitation'], horizonTables('seasonal', { initDate: TODAY - 1 }))),
        ],
      },
      /of another run than seasonal\/temp_mean; received "2026-03-01T00:00:00Z"/,
    ],
    [
      'other places',
      {
        files: [
          ...filesOf('short-term', temp),
          ...filesOf('seasonal', only(['temp_mean'], horizonTables('seasonal', { locations: LOCATIONS.slice(1) }))),
        ],
      },
      /other locations/,
    ],
    ['no file', { files: [] }, /files: has no usable file/],
    [
      'a variable to pair by that a horizon lacks',
      { pairBy: 'wind_gust_max' },
      /pairBy: is not a variable of subseasonal, seasonal; received "wind_gust_max"; allowed: a variable that all horizons have: temp_mean/,
    ],
    [
      'a time of issue that does not exist',
      { initTime: '2026-02-30T00:00Z' },
      /initTime: is not a time; received "2026-02-30T00:00Z"/,
    ],
    [
      'a run that was issued after its last day',
      { initTime: '2027-01-01' },
      /ends before the first complete day of its run, which was issued at 2027-01-01T00:00:00Z/,
    ],
  ])('rejects %s', async (_, input, message) => {
    await expect(ingested(input)).rejects.toThrow(message);
  });
});

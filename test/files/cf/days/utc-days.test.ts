import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import type { AttributeValue } from '../../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { openArrays } from '../../../../src/files/open-arrays.node.js';
import { casePath } from '../../../reference/data-folder.js';
import { dailyValues } from '../daily-values.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const core = await loadCore();

/** Temperatures at times, in the units of a coordinate. */
function temperatures(
  times: readonly number[],
  units: string,
  others: Record<string, MemoryArray> = {},
  bounds?: string,
) {
  const attributes: Record<string, AttributeValue> = bounds === undefined ? { units } : { units, bounds };
  return gridEnsemble(
    memoryFile({
      ...others,
      time: { dimensions: { time: times.length }, values: times, attributes },
      tas: {
        dimensions: { time: times.length },
        values: times.map((_, step) => step + 1),
        attributes: { units: 'degC', standard_name: 'air_temperature' },
      },
    }),
  );
}

const LOCAL = 'days since 2026-03-02 00:00:00 +01:00';
const problem = 'daily values of another zone than UTC';

describe('daily values of arrays whose times have an offset', () => {
  it.each([
    ['midnights', [0, 1, 2], LOCAL],
    ['half an hour', [0, 1, 2], 'days since 2026-03-02 00:00 +05:30'],
    ['zones in the west', [0, 1, 2], 'days since 2026-03-02 -08:00'],
    ['days with gaps', [0, 1, 3, 7], LOCAL],
    ['a day alone', [0], LOCAL],
    ['mornings, as of hydrology', [0, 24, 48], 'hours since 2026-03-02 06:00 +01:00'],
    ['noon', [0.5, 1.5], LOCAL],
    ['days after hours', [0, 6, 12, 18, 24, 48, 72, 96], 'hours since 2026-03-02 00:00 +01:00'],
  ])('are an error: %s', async (_, times, units) => {
    await expect(temperatures(times, units)).rejects.toMatchObject({
      name: 'DataError',
      message: expect.stringMatching(
        `^test.nc, column time: ${problem}; received "${units.replace('+', '.')}"; allowed: hourly values`,
      ),
    });
  });

  it('are an error where bounds are local midnights', async () => {
    const bounds = { dimensions: { time: 2, edge: 2 }, values: [0, 1, 1, 2], attributes: { units: LOCAL } };
    await expect(temperatures([0.5, 1.5], LOCAL, { edges: bounds }, 'edges')).rejects.toThrow(problem);
  });

  it('are an error after the start of a run with an offset', async () => {
    const file = memoryFile({
      step: {
        dimensions: { step: 3 },
        values: [0, 24, 48],
        attributes: { units: 'hours', standard_name: 'forecast_period' },
      },
      start: { dimensions: {}, values: [0], attributes: { units: LOCAL, standard_name: 'forecast_reference_time' } },
      precipitation: { dimensions: { step: 3 }, values: [1, 2, 3], attributes: { units: 'mm' } },
    });
    await expect(gridEnsemble(file)).rejects.toThrow(problem);
  });

  it('are read where they are midnights of UTC all the same', async () => {
    const ensemble = await temperatures([1, 25, 49], 'hours since 2026-03-02 00:00 +01:00');
    expect(await dailyValues(ensemble, core)).toEqual([[[1, 2, 3]]]);
    expect((await temperatures([0, 1], 'days since 2026-03-02 00:00 +00:00')).days).toBe(2);
  });

  it('are of the date that is written where no zone is stated, with a note unless it is midnight or noon', async () => {
    const notesAt = async (units: string) => {
      const { firstDay, days, conversions } = await temperatures([0, 1, 2], units);
      expect([firstDay, days]).toEqual([20_514, 3]);
      return conversions;
    };
    const note = (time: string) => [`daily values dated ${time} UTC are taken for values of that UTC day`];
    expect(await notesAt('days since 2026-03-02 23:00:00')).toEqual(note('23:00'));
    expect(await notesAt('days since 2026-03-02 06:30')).toEqual(note('06:30'));
    expect(await notesAt('days since 2026-03-02 12:00')).toEqual([]);
    expect(await notesAt('days since 2026-03-02')).toEqual([]);
  });

  it('of shorter steps are shifted to UTC', async () => {
    const hours = Array.from({ length: 48 }, (_, hour) => hour);
    const ensemble = await temperatures(hours, 'hours since 2026-03-02 00:00 +01:00');
    expect(await dailyValues(ensemble, core)).toEqual([[[13.5]]]);
  });

  it.for(['cet.nc', 'ist.nc'])('are an error in %s', async (name, context) => {
    const path = casePath(`days/${name}`);
    if (path === undefined) return context.skip(`no ${name}`);
    const file = await openArrays(path);
    await expect(gridEnsemble(file)).rejects.toThrow(
      `${path}, column time: ${problem}; received "days since 2026-03-02`,
    );
    await file.close();
  });
});

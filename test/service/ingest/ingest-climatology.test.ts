import { beforeAll, describe, expect, it } from 'vitest';
import { climatologyTable } from '../../../src/climate/climatology-table.js';
import { climatology } from '../../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { demoTable } from '../../../src/demo/index.js';
import { describeOtherStarts, ingestClimatology } from '../../../src/service/ingest/ingest-climatology.js';
import type { StoreWriter } from '../../../src/service/ingest/store-writer.js';
import { withMetadata } from '../../../src/table/arrow/with-metadata.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const writtenNames: string[] = [];

/** A climatology of runs that start on a day of the year, and a store with a seasonal run of 1 March. */
function given(start: string | undefined) {
  const history = demoTable('precipitation', { initDate: 8401, days: 1100, members: 1 });
  const all = climatologyTable(climatology(core, [history], { granularity: 'monthly', reference: '1993-1994' }));
  const texts = start === undefined ? [] : [['run_start', start] as const, ['run_start_days', '2'] as const];
  const table = withMetadata(all, new Map(texts));
  const writer = {
    setClimatology: async (of: string) => void writtenNames.push(of),
    storedClimatology: async (of: string) => (of === 'seasonal' ? table : undefined),
    stored: {
      forecast: { horizonInitTimes: { seasonal: '2026-03-01T00:00:00Z' } },
      climatologies: [{ of: 'seasonal', granularity: 'monthly', slug: 'precipitation' }],
    },
  } as unknown as StoreWriter;
  return { writer, input: { files: [{ source: 'normal.arrow', load: async () => table }], replace: true } };
}

describe('a climatology by start and lead in a store', () => {
  it('is an error beside a forecast of another start, but where it is of observations', async () => {
    const { writer, input } = given('05-01');
    await expect(ingestClimatology(writer, 'seasonal', input)).rejects.toMatchObject({
      name: 'DataError',
      message:
        'normal.arrow: is of runs that start on another day of the year than the seasonal forecast of the store, and is by start and lead; received "05-01, 2 days around"; allowed: runs that start on 03-01; or the forecast that it is for, in the same ingestion',
    });
    expect(writtenNames).toEqual([]);
    await ingestClimatology(writer, 'observations', input);
    // Without a run there is nothing to compare with.
    await ingestClimatology(writer, 'subseasonal', input);
    expect(writtenNames.splice(0)).toEqual(['observations', 'subseasonal']);
  });

  it.each(['03-01', '02-28', '03-03', undefined])('is taken where starts agree, or it is of any: %s', async (start) => {
    const { writer, input } = given(start);
    await ingestClimatology(writer, 'seasonal', input);
    expect(writtenNames.splice(0)).toEqual(['seasonal']);
    expect(await describeOtherStarts(writer, ['seasonal'])).toEqual([]);
  });

  it('is said not to be of a new run of another start', async () => {
    const { writer } = given('02-01');
    expect(await describeOtherStarts(writer, ['short-term'])).toEqual([]);
    expect(await describeOtherStarts(writer, ['seasonal'])).toEqual([
      'the seasonal climatology of the store is of runs that start on 02-01, 2 days around: the run of 2026-03-01T00:00:00Z is compared with observations, unless a climatology of its start is ingested',
    ]);
  });
});

import { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Climatology } from '../../src/climate/climatology.js';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { readClimatology } from '../../src/climate/read-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { encodeTable, encodeTables, readTable } from '../../src/files/index.js';
import { defineVariable } from '../../src/variable/index.js';
import { messageOf } from '../table/tables.js';
import { seededHistory, tableOf } from './histories.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const history = (single: boolean) =>
  tableOf(
    seededHistory({ from: [2001, 1, 1], to: [2003, 6, 30], places: 2, single }),
    false,
    new Map([
      ['source', 'ERA5'],
      ['member_names', '["a"]'],
    ]),
  );

const all = (single: boolean, granularity: 'daily' | 'weekly' | 'monthly'): Climatology =>
  climatology(core, history(single), {
    ...{ variable: 'temp_mean', reference: '2001-2003', granularity, quantiles: [0, 0.025, 0.5, 1] },
    ...{ thresholds: ['>2.5', '<=-1', '>=1e-3'.replace('1e-3', '0.001')], categories: 5, minSampleShare: 0.9 },
  });

const granularities = ['daily', 'weekly', 'monthly'] as const;

describe('climatologyTable', () => {
  it('has a row for each place and key, in the documented columns', () => {
    const table = climatologyTable(all(false, 'weekly'));
    expect(table.schema.fields.map(({ name }) => name).join()).toBe(
      'variable,units,latitude,longitude,period,n_samples,mean,q00,q025,q50,q100,t20,t40,t60,t80,p_gt_2.5,p_le_-1,p_ge_0.001,degenerate',
    );
    expect(table.numRows).toBe(2 * 53);
    expect(table.get(54)?.toJSON()).toMatchObject({ latitude: 51, longitude: -9.5, period: 'W02', n_samples: 3 });
    const metadata = { variable: 'temp_mean', units: 'degC', granularity: 'weekly', window: 'mean' };
    expect(Object.fromEntries(table.schema.metadata)).toEqual({
      ...metadata,
      ...{ reference: '2001-2003', categories: '5', quantile_type: '7', min_sample_share: '0.9', source: 'ERA5' },
    });
  });

  it('is null where there are no statistics', () => {
    const table = climatologyTable(all(false, 'monthly'));
    const july = table.get(6)?.toJSON();
    expect(july).toMatchObject({ period: '07', n_samples: 2 });
    const short = climatology(core, tableOf(seededHistory({ from: [2001, 5, 1], to: [2001, 5, 31] })), {
      ...{ variable: 'precipitation', reference: '2001-2001', granularity: 'monthly' },
    });
    const rows = climatologyTable(short);
    expect(rows.get(0)?.toJSON()).toMatchObject({ n_samples: 0, mean: null, q50: null, t33: null, degenerate: false });
    expect(rows.get(4)?.toJSON()).toMatchObject({ n_samples: 1, degenerate: true });
  });
});

describe('readClimatology', () => {
  for (const format of ['arrow', 'parquet'] as const) {
    it(`reads an equal climatology from a climatologyTable as ${format}`, async () => {
      for (const single of [false, true]) {
        for (const granularity of granularities) {
          const made = all(single, granularity);
          const bytes: Uint8Array[] = [];
          for await (const block of encodeTables([climatologyTable(made)], format)) bytes.push(block);
          expect(readClimatology(await readTable(await new Blob(bytes as BlobPart[]).bytes()))).toEqual(made);
        }
      }
    });
  }

  it('reads all but metadata from CSV, which cannot hold them', async () => {
    for (const granularity of granularities) {
      const made = all(false, granularity);
      const table = await readTable(await encodeTable(climatologyTable(made), 'csv'));
      expect(readClimatology(table)).toEqual({ ...made, window: undefined, reference: undefined, metadata: new Map() });
    }
  });

  it('reads rows in any order, and entries without a row as missing', () => {
    const made = all(false, 'monthly');
    const table = climatologyTable(made);
    const some = new Table([...table.slice(12, 24).batches, ...table.slice(3, 7).batches]);
    const { latitude, samples, mean } = readClimatology(some);
    expect([...latitude]).toEqual([51, 50]);
    expect([...samples]).toEqual([...made.samples.slice(12), 0, 0, 0, ...made.samples.slice(3, 7), 0, 0, 0, 0, 0]);
    expect([...mean.slice(12, 17)]).toEqual([Number.NaN, Number.NaN, Number.NaN, made.mean[3], made.mean[4]]);
  });

  it('reads variables of the caller', () => {
    const own = defineVariable({
      ...{
        slug: 'soil_moisture',
        group: 'soil',
        units: '%',
        label: '%',
        window: 'mean',
        bounds: [0, 100],
        decimals: 1,
      },
    });
    const options = { variable: own, reference: '2001-2003', granularity: 'monthly' } as const;
    const table = climatologyTable(climatology(core, history(false), options));
    expect(readClimatology(table, { variables: [own] }).variable).toEqual(own);
  });

  const csv = (text: string) => readTable(new TextEncoder().encode(text));
  const errorMessage = async (text: string) => {
    const table = await csv(text);
    try {
      readClimatology(table, { source: 'c.csv' });
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };

  it('rejects what is not a climatology, and states where and why', async () => {
    const form = 'a climatology: rows with a period such as 01-31, W05 or 01, n_samples and mean';
    const sets =
      'allowed: none, or a complete set: t50 (2 categories); t33, t67 (3 categories); t25, t50, t75 (4 categories); t20, t40, t60, t80 (5 categories); and so on, up to 20 categories';
    expect(await errorMessage('date,mean\n2024-01-01,1\n')).toBe(
      `c.csv: no column period; received "date, mean"; allowed: ${form}`,
    );
    expect(await errorMessage('period,n_samples\nW01,1\n')).toBe(
      `c.csv: no column mean; received "period, n_samples"; allowed: ${form}`,
    );
    expect(await errorMessage('period,mean\nW01,1\n')).toMatch('c.csv: no column n_samples');
    expect(await errorMessage('period,n_samples,mean\n2024-W01,1,2\n')).toBe(
      'c.csv, row 1, column period: not a period of the year; received "2024-W01"; allowed: MM-DD, W01 to W53 or MM, or others as in the results of climatology',
    );
    expect(await errorMessage('period,n_samples,mean\n01,1,2\n13,1,2\n')).toBe(
      'c.csv, row 2, column period: not a period of the year; received "13"; allowed: 01 to 12, as in the rows before',
    );
    expect(await errorMessage('period,n_samples,mean\n02-30,1,2\n')).toMatch('row 1, column period: not a period');
    expect(await errorMessage('period,n_samples,mean\nW01,1,2\nW02,1,2\nW01,1,2\n')).toBe(
      'c.csv, row 3, column period: period given twice, first in row 1; received "W01"; allowed: each period of a place once',
    );
    expect(await errorMessage('period,n_samples,mean,t33\nW01,1,2,3\n')).toBe(
      `c.csv: columns of limits that are not those of equally likely categories; received "t33"; ${sets}`,
    );
    expect(await errorMessage('period,n_samples,mean,t33,t50,t67\nW01,1,2,3,4,5\n')).toBe(
      `c.csv: columns of limits that are not those of equally likely categories; received "t33, t50, t67"; ${sets}`,
    );
    expect(await errorMessage('period,n_samples,mean,units,variable\nW01,1,2,K,temp_mean\n')).toBe(
      'c.csv, column units: units are not those of temp_mean; received "K"; allowed: degC',
    );
    expect(await errorMessage('period,n_samples,mean\nW01,1,warm\n')).toMatch('row 1, column mean: not a number');
    expect(() => readClimatology(new Table(), { sources: 'c' } as object)).toThrow('options: unknown option');
  });

  it('rejects limits that descend or are partly missing, and states row and period', async () => {
    const limits = (first: string) =>
      errorMessage(`period,n_samples,mean,t33,t67\nW02,9,5,3,3\nW03,9,,,\nW07,9,5,${first}\n`);
    expect(await limits('3,4')).toBe('accepted');
    expect(await limits('4,3.5')).toBe(
      'c.csv, row 3, column t67: limits do not ascend in period W07; received 4, 3.5; allowed: t33 <= t67, or null together',
    );
    expect(await limits('4,')).toMatch('limits do not ascend in period W07; received 4, null;');
    expect(await limits(',4')).toMatch('limits do not ascend in period W07; received null, 4;');
    expect(await errorMessage('period,n_samples,mean,t25,t50,t75\n01,9,5,1,2,1.5\n')).toBe(
      'c.csv, row 1, column t75: limits do not ascend in period 01; received 1, 2, 1.5; allowed: t25 <= t50 <= t75, or null together',
    );
  });

  it('rejects invalid numbers of samples, and reads a missing one as 0', async () => {
    for (const count of ['-1', '2.5', '3000000000']) {
      expect(await errorMessage(`period,n_samples,mean\n01,30,7\n02,${count},7\n`)).toBe(
        `c.csv, row 2, column n_samples: not a number of samples in period 02; received ${count}; allowed: a whole number from 0, or null`,
      );
    }
    expect([...readClimatology(await csv('period,n_samples,mean\n01,30,7\n02,,\n')).samples.slice(0, 2)]).toEqual([
      30, 0,
    ]);
  });

  it('rejects what is not a table, and what are not options', () => {
    const read = (table: unknown, options?: unknown) =>
      messageOf(() => readClimatology(table as Table, options as object));
    expect(read(undefined)).toBe('OptionError table: cannot be used; received undefined; allowed: an Arrow table');
    expect(read('normal.arrow')).toMatch('OptionError table: cannot be used; received "normal.arrow"');
    expect(read(new Table(), null)).toMatch('OptionError options: cannot be used; received null');
  });

  it('reads a table with period, n_samples and mean only', async () => {
    const bare = readClimatology(await csv('period,n_samples,mean\n3,30,7.5\n'));
    expect([bare.granularity, bare.samples[2], bare.mean[2], bare.categories]).toEqual(['monthly', 30, 7.5, 0]);
    expect([bare.variable, bare.units, bare.latitude[0]]).toEqual([undefined, undefined, Number.NaN]);
  });
});

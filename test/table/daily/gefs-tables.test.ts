import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { readTable } from '../../../src/files/read-table.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { referenceFolder } from '../../reference/data-folder.js';

const folder = referenceFolder('gefs-fcre-2022');
const read = async (name: string) => readTable(readFileSync(join(folder as string, name)), { source: name });

/** How far results may be from the reference: numpy's sums of the raw file differ from it by as much. */
const REACH = 4e-12;

/** The numbers of the members in the order of their rows of a variable. */
function membersOf(raw: Table, name: string): number[] {
  const variables = Array.from(raw.getChild('variable') as Iterable<string>);
  const members = Array.from(raw.getChild('parameter') as Iterable<number>);
  return [...new Set(members.filter((_, row) => variables[row] === name))];
}

/** The values of columns, row by row. */
function valuesOf(table: Table, names: readonly string[]): number[][] {
  return names.map((name) => Array.from(table.getChild(name) as Iterable<number>));
}

/** The largest difference between numbers, relative to those above 1. */
function farthest(found: readonly number[][], wanted: readonly number[][]): number {
  const differences = found.flatMap((column, c) => {
    return column.map((value, row) => Math.abs(value - wanted[c][row]) / Math.max(1, Math.abs(wanted[c][row])));
  });
  return Math.max(...differences);
}

describe.skipIf(folder === undefined)('daily values of the hourly GEFS forecast', () => {
  let core: Core;
  let raw: Table;
  beforeAll(async () => {
    core = await loadCore();
    raw = await read('raw/st2_part-0.parquet');
  });

  const cases = [
    [
      'precipitation',
      undefined,
      'precip_mm',
      ['precipitation_flux, without units, taken as kg m-2 s-1', 'kg m-2 s-1 to mm', 'hourly values to daily sums'],
    ],
    ['temp_mean', 'K', 't2m_degC', ['K to degC', 'hourly values to daily means']],
    ['temp_min', 'K', 't2m_min_degC', ['K to degC', 'hourly values to daily minima']],
    ['temp_max', 'K', 't2m_max_degC', ['K to degC', 'hourly values to daily maxima']],
  ] as const;

  it.each(cases)('are for %s those of the reference', async (slug, units, name, reported) => {
    const { table, conversions } = dailyTable(raw, { variable: findVariable(slug), units, source: 'gefs' });
    const expected = await read(`${name}_members_daily.csv`);
    expect(conversions).toEqual([...reported, 'column left out: horizon']);
    expect(table.numRows).toBe(35);
    const found = table.schema.names.filter((column) => String(column).startsWith('member_')).map(String);
    const members = expected.schema.names.slice(1).map(String);
    expect(found.length).toBe(31);
    const order = membersOf(raw, slug === 'precipitation' ? 'precipitation_flux' : 'air_temperature');
    const values = valuesOf(table, found);
    const reference = valuesOf(expected, members);
    expect(
      farthest(
        values,
        order.map((number) => reference[number - 1]),
      ),
    ).toBeLessThan(REACH);
  });

  it.each([
    ['precipitation', undefined, 'precip_mm'],
    ['temp_mean', 'K', 't2m_degC'],
  ])('give for %s the weekly statistics of the reference', async (slug, units, name) => {
    const { table } = dailyTable(raw, { variable: findVariable(slug), units });
    const oracle = await read(`${name}_oracle_weekly.csv`);
    const quantiles = Array.from({ length: 19 }, (_, i) => ((i + 1) * 5) / 100);
    const found = statistics(core, table, { granularity: 'weekly', partial: true, quantiles });
    const columns = ['mean', ...quantiles.map((p) => `q${String(Math.round(100 * p)).padStart(2, '0')}`)];
    expect(Array.from(found.getChild('period') as Iterable<string>)).toEqual(
      Array.from(oracle.getChild('window') as Iterable<string>),
    );
    expect(farthest(valuesOf(found, columns), valuesOf(oracle, columns))).toBeLessThan(REACH);
  });
});

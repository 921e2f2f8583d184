import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCore } from 'plumecast';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFiles } from '../../src/explorer/data/open-files.js';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, useExplorer } from './open-explorer.js';

const rain = demoTable('precipitation', { days: 28, members: 4 });
const columns = rain.schema.fields.filter(({ name }) => name.startsWith('member_')).map(({ name }) => name);

/** The files of a page, each some columns and days of the ensemble as NetCDF. */
async function givenFiles(
  parts: Readonly<Record<string, readonly [members: readonly string[], from: number, to: number]>>,
) {
  const tables = Object.entries(parts).map(async ([name, [members, from, to]]) => {
    const part = rain.select(['date', ...members]).slice(from, to);
    part.schema.metadata.set('variable', 'precipitation');
    return [`${name}.arrow`, await encodeTable(part, 'arrow')] as const;
  });
  const { folder, remove } = folderWith(Object.fromEntries(await Promise.all(tables)));
  onTestFinished(remove);
  const given = [];
  for (const name of Object.keys(parts)) {
    const path = join(folder, `${name}.nc`);
    const { code, err } = await plumecastHere('convert', join(folder, `${name}.arrow`), path, '-q');
    expect([code, err]).toEqual([0, '']);
    given.push({ path, content: new Blob([await readFile(path)]) });
  }
  return given;
}

describe('files of arrays that the explorer opens together', () => {
  it('are one ensemble where they complement each other, in any order', async () => {
    const core = await loadCore();
    const given = await givenFiles(
      Object.fromEntries(
        columns.flatMap((name, i) => [
          [`${3 - i}-early`, [[name], 0, 10]],
          [`${3 - i}-late`, [[name], 10, 28]],
        ]),
      ),
    );
    const source = await openFiles(given);
    expect(source.horizons).toEqual([]);
    expect(source.origin).toMatchObject({ files: [{ others: { length: 7 } }] });
    const { table, notes } = await source.read({ core, variable: 'precipitation', method: { only: 0 } });
    expect([table.numRows, notes.join()]).toEqual([
      28,
      expect.stringContaining('8 files are one: 4 members, 28 times'),
    ]);
    for (const name of columns)
      expect(Array.from(table.getChild(name) ?? [])).toEqual(Array.from(rain.getChild(name) ?? []));
  });

  it('are horizons of a timeline where a part is in no file', async () => {
    const given = await givenFiles({ short: [columns, 0, 10], long: [columns.slice(0, 3), 10, 28] });
    const source = await openFiles(given);
    expect(source.origin).toMatchObject({ files: [{ others: [] }, { others: [] }] });
    expect(source.horizons).toHaveLength(2);
  });
});

describe.skipIf(chromiumAbsent !== undefined)('files of members in the page', () => {
  const explorer = useExplorer();

  it('are one ensemble, as its note says, with words for a threshold of its windows', async () => {
    const given = await givenFiles({ m1: [columns.slice(0, 1), 0, 28], m2: [columns.slice(1, 2), 0, 28] });
    const page = await explorer.open('#by=weekly');
    await page.locator('#files').setInputFiles(given.map(({ path }) => path));
    await dataNamed(page, 'm1.nc, m2.nc').waitFor();
    const chart = chartOf(page, 'precipitation (mm), weekly sums');
    await chart.locator('details.notes summary').click();
    expect(await chart.locator('details.notes li').allInnerTexts()).toEqual(['2 files are one: 2 members']);
    await chart.getByRole('button', { name: 'Add threshold' }).click();
    expect(await chart.innerText()).toMatch(/share of members with a weekly sum above \d+ mm/);
    expect(await chart.locator('.words.chance').innerText()).toMatch(/^Weekly sum above \d+ mm: highest \d+\s%/);
    expect(explorer.faults).toEqual([]);
  });
});

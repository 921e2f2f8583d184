import { Dictionary, Float64, Int32, Table, tableFromArrays, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { escapedText, escapeFormulas } from '../../src/files/csv/escape-formulas.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';

const csv = async (table: Table) => new TextDecoder().decode(await encodeTable(table, 'csv'));

describe('texts of CSV that spreadsheets take for formulas', () => {
  it.each(['=1+1', '+cmd', '@sum', '-2+3', '\t=1', '\r=1', '=HYPERLINK("http://x")'])(
    '%j gets an apostrophe',
    (text) => {
      expect(escapedText(text)).toBe(`'${text}`);
    },
  );

  it.each(['farm', '', '-12', '+4.5', "'=1", 'a=1', '5 farms'])('%j stays as it is', (text) => {
    expect(escapedText(text)).toBe(text);
  });

  it('are changed in columns of texts and in names alone; numbers, missing texts and metadata stay', async () => {
    const words = vectorFromArray(['=a', 'b', null], new Dictionary(new Utf8(), new Int32()));
    const numbers = vectorFromArray([-1, Number.NaN, 2.5], new Float64());
    const table = new Table({ id: vectorFromArray(['@x', null, 'y'], new Utf8()), '=name': words, value: numbers });
    table.schema.metadata.set('zone', 'UTC');
    const escaped = escapeFormulas(table);
    expect(await csv(escaped)).toBe("id,'=name,value\n'@x,'=a,-1\n,b,\ny,,2.5\n");
    expect(escaped.schema.metadata.get('zone')).toBe('UTC');
  });

  it('are found in each batch, also of slices', async () => {
    const table = tableFromArrays({ id: ['a', '=b', '=c', 'd'] });
    expect(await csv(escapeFormulas(table.slice(1, 3).concat(table.slice(3))))).toBe("id\n'=b\n'=c\nd\n");
  });
});

describe('--escape-formulas', () => {
  const rows = [0, 1].map((member) => `=1+1,2026-03-02,${member},${-member}\n`).join('');
  const { folder, remove } = folderWith({ 'in.csv': `id,date,member,temp_mean\n${rows}` });
  afterAll(remove);
  const data = `${folder}/in.csv`;
  const options = ['--units', 'degC', '-q'];

  it('is an option of what writes CSV; without it texts are as they were', async () => {
    const stats = await plumecastHere('stats', data, ...options, '--format', 'csv', '--escape-formulas');
    expect([stats.code, stats.err]).toEqual([0, '']);
    expect(stats.out).toContain(",'=1+1,");
    expect(stats.out).toContain(',-0.5,');
    const plain = await plumecastHere('stats', data, ...options, '--format', 'csv');
    expect(plain.out).toBe(stats.out.replaceAll("'=1+1", '=1+1'));
    const convert = await plumecastHere('convert', data, '-', ...options, '--to', 'csv', '--escape-formulas');
    expect(convert.out).toMatch(/(^|,)'=1\+1,/m);
  });

  it.each(['json', 'arrow', 'table', 'netcdf'])('is an error with %s, in which texts are texts', async (form) => {
    const out = form === 'table' ? [] : ['-o', `${folder}/out.${form === 'netcdf' ? 'nc' : form}`];
    const { code, err } = await plumecastHere('stats', data, ...options, '--format', form, ...out, '--escape-formulas');
    expect([code, err]).toEqual([
      1,
      `error: --escape-formulas: is for CSV, in which texts may be taken for formulas; received "${form}"; allowed: csv\n`,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type TextColumn, textTable } from '../../src/cli/text-table.js';

const week: TextColumn = { name: 'week', align: 'left', cells: ['2026-W10', '2026-W11', 'W9'] };
const rain: TextColumn = { name: 'rain', align: 'right', cells: ['13.6', '7.0', '101.2'] };
const note: TextColumn = { name: 'note', align: 'left', cells: ['wet', '', 'very wet'] };

/** Lines without the indentation and the bars that make them legible in this file. */
function lines(...shown: string[]): string {
  return shown.map((line) => line.slice(1)).join('\n');
}

describe('textTable', () => {
  it('aligns columns under their names, two spaces apart, without spaces at the ends of lines', () => {
    expect(textTable([week, rain, note])).toBe(
      lines(
        '|week       rain  note', //
        '|2026-W10   13.6  wet',
        '|2026-W11    7.0',
        '|W9        101.2  very wet',
      ),
    );
  });

  it('aligns decimal points, with integers ending where the point would be', () => {
    const value: TextColumn = { name: 'value', align: 'decimal', cells: ['1.25', '10', '-3.5', '', '0.125'] };
    const end: TextColumn = { name: '', align: 'left', cells: ['<', '<', '<', '<', '<'] };
    expect(textTable([value, end])).toBe(
      lines(
        '| value', //
        '| 1.25   <',
        '|10      <',
        '|-3.5    <',
        '|        <',
        '| 0.125  <',
      ),
    );
  });

  it('counts symbols, combining marks and ANSI colours by their visible width', () => {
    const red = '\u001b[31m5 °C\u001b[39m';
    const place: TextColumn = { name: 'ort', align: 'left', cells: ['Zu\u0308rich', 'Bern', '░▒█'] };
    expect(textTable([place, { name: 't', align: 'right', cells: [red, '12 °C', ''] }])).toBe(
      lines('|ort         t', `|Zu\u0308rich   ${red}`, '|Bern    12 °C', '|░▒█'),
    );
  });

  it('styles the names only, without the padding', () => {
    const styled = textTable([week, rain], { header: (name) => `\u001b[1m${name}\u001b[22m` });
    expect(styled.split('\n')[0]).toBe('\u001b[1mweek\u001b[22m       \u001b[1mrain\u001b[22m');
    expect(styled.split('\n').slice(1)).toEqual(textTable([week, rain]).split('\n').slice(1));
  });

  it('splits a table that is too wide between columns and repeats the first column', () => {
    expect(textTable([week, rain, note], { maxWidth: 20 })).toBe(
      lines(
        '|week       rain',
        '|2026-W10   13.6',
        '|2026-W11    7.0',
        '|W9        101.2',
        '|',
        '|week      note',
        '|2026-W10  wet',
        '|2026-W11',
        '|W9        very wet',
      ),
    );
  });

  it('does not split a table that just fits', () => {
    const width = '2026-W10  101.2  very wet'.length;
    expect(textTable([week, rain, note], { maxWidth: width })).toBe(textTable([week, rain, note]));
    expect(textTable([week, rain, note], { maxWidth: width - 1 })).toContain('\n\n');
  });

  it('cuts nothing if two columns alone are too wide', () => {
    expect(textTable([week, rain], { maxWidth: 4 })).toBe(textTable([week, rain]));
  });

  it('shows only the names without rows, and nothing without columns', () => {
    expect(
      textTable([
        { ...week, cells: [] },
        { ...rain, cells: [] },
      ]),
    ).toBe('week  rain');
    expect(textTable([])).toBe('');
  });

  it('formats more rows than a function call accepts arguments', () => {
    const cells = Array.from({ length: 200_000 }, (_, row) => `${row}`);
    const text = textTable([{ name: 'n', align: 'decimal', cells }]);
    expect(text.slice(-14)).toBe('199998\n199999'.padStart(14, '\n'));
  });

  it('throws an OptionError if columns differ in length', () => {
    expect(() => textTable([week, { ...rain, cells: ['1'] }])).toThrow(
      'column rain: differs in length from the first column; received 1; allowed: 3 cells',
    );
  });
});

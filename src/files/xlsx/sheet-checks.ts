/*
 * What is asked of a sheet's XML before it is read: the package that reads sheets makes rows of whatever length cells say.
 */

/** A cell, or a row, and where it says that it is. */
const PLACED = /<(?:\w+:)?(c|row)\b[^>]*?\sr\s*=\s*(["'])(.*?)\2/g;
const PLACE = /^([A-Z]{0,3})([1-9]\d{0,6})$/;
/** A cell with a formula, and without a result; a text may be empty. */
const NO_RESULT =
  /<(?:\w+:)?c\b((?![^>]*\bt=["']str)[^>]*[^/])>\s*<(?:\w+:)?f\b(?:[^>]*\/>|[^>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*\/>|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>)?\s*<\/(?:\w+:)?c>/;

const MAX_CELLS = 50_000_000;

/** What of a sheet's XML cannot be read, and what can; undefined where all can. */
export function sheetFault(xml: string): { readonly problem: string; readonly allowed: string } | undefined {
  let rows = 0;
  let columns = 0;
  for (const [, , , place] of xml.matchAll(PLACED)) {
    const [, letters, row] = PLACE.exec(place) ?? [];
    if (row === undefined) return { problem: `has a cell at ${place}`, allowed: 'cells at places such as B12' };
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (rows * columns > MAX_CELLS) {
    const problem = `has ${rows} rows and ${columns} columns`;
    return { problem, allowed: `at most ${MAX_CELLS} cells, empty ones included; or the sheet saved as CSV` };
  }
  const formula = NO_RESULT.exec(xml)?.[1];
  if (formula === undefined) return undefined;
  const place = /\br\s*=\s*["'](.*?)["']/.exec(formula)?.[1] ?? 'a cell';
  const problem = `has formulas without results, as programs write them: ${place}`;
  return { problem, allowed: 'the workbook, opened and saved in Excel or LibreOffice, which compute them' };
}

/** The number of a column, from 1, of its letters; 1 where there are none. */
function columnNumber(letters: string): number {
  let number = 0;
  for (let i = 0; i < letters.length; i++) number = number * 26 + letters.charCodeAt(i) - 64;
  return Math.max(number, 1);
}

import { readFileSync } from 'node:fs';

/** A CSV file of the reference data: no quotes, one line a row; numbers are read where a column's cells are numbers. */
export interface ReferenceCsv {
  readonly names: readonly string[];
  readonly length: number;
  text(name: string): string[];
  numbers(name: string): number[];
}

/** Reads a reference file without the library's own reader. */
export function readReferenceCsv(path: string): ReferenceCsv {
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const names = header.split(',');
  const cells = lines.map((line) => line.split(','));
  const column = (name: string) => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`${path} has no column ${name}`);
    return cells.map((row) => row[at]);
  };
  return {
    names,
    length: lines.length,
    text: column,
    numbers: (name) => column(name).map((cell) => (cell === '' ? Number.NaN : Number(cell))),
  };
}

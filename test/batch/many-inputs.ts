import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Table, tableToIPC } from 'apache-arrow';
import { encodeTable } from '../../src/files/encode-tables.js';
import { daysFrom, table } from '../table/tables.js';

/** Rain of `members` members for `days` days from 2024-01-01 on; another `seed` gives other values. */
export function rain(seed: number, { days = 60, members = 5, first = '2024-01-01', place = seed } = {}): Table {
  const values = (member: number) =>
    Array.from({ length: days }, (_, day) => ((day * 7 + member * 13 + seed * 29) % 97) / 4);
  const columns = Array.from({ length: members }, (_, member) => [`member_${member + 1}`, values(member)] as const);
  return table(
    {
      date: daysFrom(first, days),
      latitude: Array<number>(days).fill(place / 4),
      longitude: Array<number>(days).fill(-80),
      ...Object.fromEntries(columns),
    },
    { variable: 'precipitation', units: 'mm' },
  );
}

/**
 * Writes inputs in turn as Arrow file, Arrow stream, Parquet and CSV: `runs/00.arrow`, `runs/01.arrows`,
 * `runs/deep/02.parquet`, …
 */
export async function writeInputs(folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = String(index).padStart(2, '0');
    const rows = rain(index, { days: 40 + ((index * 37) % 90) });
    if (index % 4 === 0) put(folder, `runs/${name}.arrow`, tableToIPC(rows, 'file'));
    if (index % 4 === 1) put(folder, `runs/${name}.arrows`, tableToIPC(rows, 'stream'));
    if (index % 4 === 2) put(folder, `runs/deep/${name}.parquet`, await encodeTable(rows, 'parquet'));
    if (index % 4 === 3) put(folder, `runs/${name}.csv`, await encodeTable(rows, 'csv'));
  }
}

/** Writes a file and the folders above it. */
export function put(folder: string, name: string, content: string | Uint8Array): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

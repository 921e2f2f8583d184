import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Table, tableFromArrays } from 'apache-arrow';
import { encodeTable, encodeTables } from '../../src/files/index.js';
import { openMeteoJson } from '../files/open-meteo-answers.js';

/** Of CSV: each case reads it by several doors, and more columns would take longer than a case may. */
export const MAX_COLUMNS = 10_000;
const COLUMNS = [3000, MAX_COLUMNS];
const BATCHES = 1000;

/** Files that are small in bytes, and have very many columns or record batches. */
export async function makeLarge(folder: string): Promise<void> {
  for (const count of COLUMNS) {
    const names = Array.from({ length: count }, (_, column) => `m${column}`);
    const row = names.map((_, column) => column % 9).join(',');
    const csv = `date,${names.join(',')}\n2026-03-02,${row}\n2026-03-03,${row}\n`;
    await writeFile(join(folder, 'csv', `large-${count}-columns`), csv);
  }
  const wide = wideTable(COLUMNS[0]);
  await writeFile(join(folder, 'arrow-file', 'large-columns'), await encodeTable(wide, 'arrow'));
  await writeFile(join(folder, 'arrow-stream', 'large-columns'), await encodeTable(wide, 'arrow-stream'));
  await writeFile(join(folder, 'parquet', 'large-columns'), await encodeTable(wide, 'parquet'));
  const rows = Array.from({ length: BATCHES }, (_, day) =>
    tableFromArrays({ date: Float64Array.of(20_000 + day), precipitation: Float32Array.of(day % 7) }),
  );
  for (const format of ['arrow', 'arrow-stream'] as const) {
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeTables(rows, format)) pieces.push(piece.slice());
    await writeFile(join(folder, format === 'arrow' ? 'arrow-file' : format, 'large-batches'), Buffer.concat(pieces));
  }
  await writeFile(join(folder, 'json', 'large-members'), openMeteoJson({ times: 24, members: COLUMNS[0] }));
}

function wideTable(members: number): Table {
  const columns: Record<string, Float32Array | string[]> = { date: ['2026-03-02', '2026-03-03'] };
  for (let member = 0; member < members; member++) columns[`member_${member}`] = Float32Array.of(member, member / 8);
  return tableFromArrays(columns);
}

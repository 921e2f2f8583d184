import { sampleText } from '../csv/csv-format.js';
import type { TableFileFormat } from '../format.js';

/** CSV as NASA POWER gives it for a place: a header of texts, then the table. */
export const nasaPower = {
  kind: 'table',
  name: 'nasa-power-csv',
  words: 'CSV',
  endings: [],
  matches: (head) => sampleText(head)?.trimStart().startsWith('-BEGIN HEADER-') === true,
  open: async ({ source, bytes, work }, { report }) => {
    const { readNasaPower } = await import('./read-nasa-power.js');
    return { read: async () => readNasaPower(await bytes(), source, report, work) };
  },
} as const satisfies TableFileFormat;

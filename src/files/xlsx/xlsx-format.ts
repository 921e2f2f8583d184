import { isWorkbook } from '../foreign-format.js';
import type { TableFileFormat } from '../format.js';

/** Workbooks of Excel, of which one sheet is a table. */
export const xlsx = {
  kind: 'table',
  name: 'xlsx',
  words: 'Excel',
  endings: ['xlsx', 'xlsm'],
  matches: isWorkbook,
  open: async (file, options) => (await import('./open-xlsx.js')).openXlsx(file, options),
  write: {
    ending: '.xlsx',
    compressions: ['none'],
    encoder: async (schema) => new (await import('./xlsx-write.js')).XlsxEncoder(schema),
  },
} as const satisfies TableFileFormat;

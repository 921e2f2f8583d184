import { HEAD_BYTES } from '../byte-source.js';
import { foreignFormat } from '../foreign-format.js';
import type { TableFileFormat } from '../format.js';
import { csvDialect, TextDecoding } from './text-decoding.js';

/** Bytes that are looked at as text. */
const SAMPLE_BYTES = HEAD_BYTES - 1;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they mark bytes that are not text.
const CONTROL = /[\x00-\x08\x0e-\x1f]/;

/** CSV, with any of four delimiters, also as Open-Meteo writes it. */
export const csv = {
  kind: 'table',
  name: 'csv',
  words: 'CSV',
  endings: ['csv', 'tsv', 'csv.gz', 'tsv.gz'],
  matches: (head) => {
    const text = foreignFormat(head) === undefined ? sampleText(head) : undefined;
    return text !== undefined && csvDialect(text) !== undefined;
  },
  open: async (file, options) => (await import('./csv-read.js')).openCsv(file, options),
  write: {
    ending: '.csv',
    compressions: ['none'],
    encoder: async (schema) => new (await import('./csv-write.js')).CsvEncoder(schema),
  },
} as const satisfies TableFileFormat;

/** The beginning of the bytes as text with LF line ends, or `undefined` if they are not text. */
export function sampleText(bytes: Uint8Array): string | undefined {
  const isAll = bytes.length <= SAMPLE_BYTES;
  try {
    const text = new TextDecoding('input').decode(bytes.subarray(0, SAMPLE_BYTES), isAll);
    return CONTROL.test(text) ? undefined : text.replace(/\r\n?/g, '\n');
  } catch {
    return undefined;
  }
}

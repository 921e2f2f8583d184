import type { FileAccess, FileInParts } from '../file-access.js';
import type { OpenedTable, TableOptions } from '../format.js';
import { type PartsOptions, partsInThreads } from '../parts-in-threads.js';
import { readCsv } from './csv-read.js';
import { beginningOfSlice, type SliceReader, UnknownRowsError } from './csv-slice.js';
import { tablesOfCsv } from './csv-tables.js';

/** Shorter CSV is not cut into slices, however many threads there are: tables are the same for all numbers of them. */
const SLICED_BYTES = 16_777_216;

/** Opens CSV; a long file is read in slices if a number of threads is given. */
export function openCsv(
  file: FileAccess,
  { decimal, report, codedTexts, threads, areViews = false }: TableOptions,
): OpenedTable {
  const { source, parts } = file;
  return {
    read: async () => readCsv(await file.bytes(), source, { decimal, report }),
    tables: () => {
      // One thread alone reads the pieces as they come in a tenth less of the time.
      const isSliced = parts !== undefined && threads !== undefined && parts.file.size >= SLICED_BYTES;
      const slices = isSliced ? slicesInThreads(parts, source, { threads, areViews }) : undefined;
      return tablesOfCsv(file.pieces({ inTurn: true }), source, { decimal, report, codedTexts, slices });
    },
  };
}

/** Reads the slices of CSV in several threads, up to the first that kernels do not read. */
function slicesInThreads(
  { file, others }: FileInParts,
  source: string,
  options: Pick<PartsOptions, 'threads' | 'areViews'>,
): SliceReader {
  return {
    async *read(slices) {
      try {
        yield* partsInThreads(file, { kind: 'csv', source, slices }, { ...options, others });
      } catch (error) {
        if (!(error instanceof UnknownRowsError)) throw error;
      }
    },
    async piecesFrom(slices, index) {
      const at = await beginningOfSlice(slices, file, index);
      return at < file.size ? file.pieces(at) : undefined;
    },
  };
}

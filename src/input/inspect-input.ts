import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../core/load.js';
import { unreadable } from '../file-fault.js';
import { detectFormat, type FileFormat } from '../formats/detect-format.js';
import { columnsOfTable } from './input-statistics.js';
import { inspectGrid } from './inspect-grid.js';
import type { InspectRequest } from './inspect-request.js';
import { inspectTable } from './inspect-table.js';
import type { Inspection } from './inspection.js';
import { isGridPath, openGridFile } from './open-grid-file.js';
import { inputFile } from './standard-input-file.js';

const FORMATS: Record<FileFormat, string> = {
  'arrow-file': 'Arrow file',
  'arrow-stream': 'Arrow stream',
  parquet: 'Parquet',
  csv: 'CSV',
  json: 'JSON',
};
/** Bytes by which the format of a table is told. */
const SAMPLE_BYTES = 65_537;

/**
 * What an input holds, of any format that is read: its structure, and where asked its values, in bounded memory. What is not understood
 * of it is told in what is returned. Throws FileError, FormatError and PackageError where it cannot be read at all.
 */
export async function inspectInput(core: Core, path: string, request: InspectRequest): Promise<Inspection> {
  const file = await inputFile(path);
  try {
    const bytes = await bytesOf(file.path);
    const size = bytes === undefined ? {} : { bytes };
    if (await isGridPath(file.path)) {
      const arrays = await openGridFile(file.path);
      try {
        return { ...(await inspectGrid(core, arrays, request)), source: file.source, ...size };
      } finally {
        await arrays.close();
      }
    }
    const format = FORMATS[detectFormat(await beginning(file.path), file.source)];
    return { format, ...(await inspectTable(core, file, ofTable(request))), ...size };
  } finally {
    await file.close();
  }
}

function ofTable(request: InspectRequest): InspectRequest {
  const { coordinates: _, ...options } = request.options;
  return { ...request, options, columns: columnsOfTable(request.columns, request.options) };
}

async function beginning(path: string): Promise<Uint8Array> {
  const fail = (cause: NodeJS.ErrnoException) => Promise.reject(unreadable(path, cause, 'a readable file'));
  const file = await open(path).catch(fail);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0).catch(fail);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The bytes of a file, or of all files in a folder; undefined for what is neither. */
async function bytesOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size;
  let sum = 0;
  for (const { name } of await readdir(path, { withFileTypes: true })) sum += (await bytesOf(join(path, name))) ?? 0;
  return sum;
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../../core/load.js';
import { unreadable } from '../../disk/file-fault.js';
import { openRegularFile } from '../../disk/regular-file.node.js';
import { ByteFeed } from '../../files/byte-feed.js';
import { gunzipPieces } from '../../files/codecs/gunzip-pieces.node.js';
import { isGzip } from '../../files/codecs/gzip.js';
import { detectFormat, type FileFormat } from '../../files/detect-format.js';
import { unpackedFormat } from '../../files/unpacked-format.js';
import { openInput } from '../run/input.js';
import { type InputFile, openInputFile } from '../run/input-file.js';
import { columnsOfTable } from '../run/value-options.js';
import { inspectGrid } from './inspect-grid.js';
import { inspectTable } from './inspect-table.js';
import type { Inspection, InspectRequest } from './inspection.js';

const FORMATS: Record<FileFormat, string> = {
  'arrow-file': 'Arrow file',
  'arrow-stream': 'Arrow stream',
  parquet: 'Parquet',
  csv: 'CSV',
  'open-meteo-json': 'JSON',
};
/** Bytes that are read to recognize the format of a table. */
const SAMPLE_BYTES = 65_537;

/**
 * Inspects an input of any supported format: its structure and, if requested, its values, in bounded memory. The result
 * says what could not be understood. Throws FileError, FormatError and PackageError if the input cannot be read at all.
 */
export async function inspectInput(
  core: Core,
  given: string | InputFile,
  request: InspectRequest,
): Promise<Inspection> {
  const file = typeof given === 'string' ? await openInputFile(given) : given;
  const decisions: string[] = [];
  const input = await openInput(file, request.options, ({ text }) => decisions.push(text));
  try {
    const sizes = await Promise.all((file.files ?? [file.path]).map(readSize));
    const bytes = sizes.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
    const size = bytes === undefined ? {} : { bytes };
    if (input.kind === 'arrays') {
      return { ...(await inspectGrid(core, input.arrays, request)), source: input.source, ...size };
    }
    const format = input.form === 'folder' ? 'folder of Parquet files' : await readFormat(file);
    return { format, ...(await inspectTable(core, input, tableRequest(request), decisions)), ...size };
  } finally {
    await input.close();
  }
}

/** The common name of a table's format. */
async function readFormat({ path, source }: InputFile): Promise<string> {
  const head = await readHead(path);
  if (!isGzip(head)) return FORMATS[detectFormat(head, source)];
  const handle = await openRegularFile(path);
  const content = new ByteFeed(gunzipPieces(handle.createReadStream(), source));
  try {
    await content.has(SAMPLE_BYTES);
    return `${FORMATS[unpackedFormat(content.peek(SAMPLE_BYTES), source)]}, gzipped`;
  } finally {
    await content.close();
  }
}

function tableRequest(request: InspectRequest): InspectRequest {
  const { coordinates: _, ...options } = request.options;
  return { ...request, options, columns: columnsOfTable(request.columns, request.options) };
}

async function readHead(path: string): Promise<Uint8Array> {
  const fail = (cause: NodeJS.ErrnoException) => Promise.reject(unreadable(path, cause, 'a readable file'));
  const handle = await openRegularFile(path).catch(fail);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0).catch(fail);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The bytes of a file, or of all files in a folder; undefined for anything else. */
async function readSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size;
  let sum = 0;
  for (const { name } of await readdir(path, { withFileTypes: true })) sum += (await readSize(join(path, name))) ?? 0;
  return sum;
}

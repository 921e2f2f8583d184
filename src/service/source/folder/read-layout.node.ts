import { Message, RecordBatchReader, type Schema } from 'apache-arrow';
import { FormatError, isPlumecastError } from '../../../errors.js';
import { checkedFooterBlocks, checkVectorLengths } from '../../../files/arrow/flatbuffer-vectors.js';
import { type SeriesHead, seriesWidth } from '../../store/block-file.js';
import { cutShort } from '../../store/cut-short.js';
import { createSeriesSchema, SERIES_BUFFERS, seriesMetadata } from './series-schema.js';

const MAGIC = 'ARROW1';
const HEAD_BYTES = 8;
const TAIL_BYTES = 4 + MAGIC.length;
const CONTINUATION = 0xffffffff;

/** The bytes of a footer or of a message's metadata that are read first; more are read where that is too little. */
const FIRST_READ_BYTES = 4096;

/** The first bytes of an Arrow file: ARROW1, padded to eight bytes. */
const FILE_HEAD = /* @__PURE__ */ Uint8Array.of(0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0, 0);

/** Where the buffers of one record batch lie in the file, in bytes from its start. */
export interface BatchLayout {
  readonly rows: number;
  readonly latitudeAt: number;
  readonly longitudeAt: number;
  readonly valuesAt: number;
}

/** A file, what reads ranges of it, its path, and its length in bytes. */
export interface OpenFile {
  readonly read: (at: number, into: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly path: string;
  readonly size: number;
}

/**
 * Finds where the values lie in the file of a variable. Reads only its footer and the metadata of its batches. Throws
 * FormatError where the file is cut short, or does not hold the expected variable.
 */
export async function readBatchLayouts(file: OpenFile, head: SeriesHead): Promise<BatchLayout[]> {
  try {
    const { ending, end } = await readEnding(file);
    const { dictionaries, recordBatches } = checkedFooterBlocks(ending.subarray(0, -TAIL_BYTES));
    checkSeriesSchema(ending, head, file.path);
    const batches = [];
    for (const { offset } of [...dictionaries, ...recordBatches]) {
      const { metadata, bodyAt } = await readMessage(file, offset);
      batches.push(readBatchLayout(metadata, head, { bodyAt, end }, file.path));
    }
    return batches;
  } catch (cause) {
    if (isPlumecastError(cause) || 'syscall' in (cause as Error)) throw cause;
    throw new FormatError({ subject: file.path, problem: 'is a corrupt Arrow file', cause });
  }
}

/** Reads bytes of a file from `at` on. Throws FormatError where the file ends before. */
export async function readBytes(
  { read, path }: OpenFile,
  at: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (at < 0) throw cutShort(path);
  const bytes = new Uint8Array(length);
  await read(at, bytes);
  return bytes;
}

/** Reads the end of a file, from the footer on, and where it begins. */
async function readEnding(file: OpenFile): Promise<{ ending: Uint8Array; end: number }> {
  const tailBytes = Math.min(FIRST_READ_BYTES, file.size);
  if (tailBytes < TAIL_BYTES) throw cutShort(file.path);
  const tail = await readBytes(file, file.size - tailBytes, tailBytes);
  const footerEnd = tailBytes - TAIL_BYTES;
  const magic = String.fromCharCode(...tail.subarray(footerEnd + 4));
  const length = new DataView(tail.buffer).getInt32(footerEnd, true);
  const end = file.size - TAIL_BYTES - length;
  if (magic !== MAGIC || length <= 0 || end < HEAD_BYTES) throw cutShort(file.path);
  const bytes = length + TAIL_BYTES;
  return { ending: bytes <= tailBytes ? tail.subarray(-bytes) : await readBytes(file, end, bytes), end };
}

/** Reads the metadata of the message at `at`, and where its body begins. */
async function readMessage(file: OpenFile, at: number): Promise<{ metadata: Uint8Array; bodyAt: number }> {
  const first = await readBytes(file, at, Math.min(FIRST_READ_BYTES, file.size - at));
  const view = new DataView(first.buffer);
  if (first.length < 8 || view.getUint32(0, true) !== CONTINUATION) throw cutShort(file.path);
  const length = view.getUint32(4, true);
  const bodyAt = at + 8 + length;
  if (bodyAt > file.size) throw cutShort(file.path);
  const metadata = 8 + length <= first.length ? first.subarray(8, 8 + length) : await readBytes(file, at + 8, length);
  return { metadata, bodyAt };
}

/**
 * Throws FormatError, with `file` as its subject, unless its schema is that of the expected variable. `ending` is the
 * end of the file, from the footer on; where that is corrupt, any error is thrown.
 */
function checkSeriesSchema(ending: Uint8Array, head: SeriesHead, file: string): void {
  const schema = schemaOf(ending);
  const received = columnsOf(schema);
  const allowed = columnsOf(createSeriesSchema(head));
  if (received !== allowed) {
    throw new FormatError({ subject: file, problem: 'has other columns than its store says', received, allowed });
  }
  for (const [key, value] of Object.entries(seriesMetadata(head))) {
    const received = schema.metadata.get(key);
    if (received === value) continue;
    throw new FormatError({
      subject: file,
      problem: `has another ${key} than its store says`,
      received,
      allowed: value,
    });
  }
}

/**
 * Reads from a batch's message where its buffers lie; `bodyAt` is where its body begins. Throws FormatError, with
 * `file` as its subject, where they do not lie before `end`, are compressed or have nulls; any error where the message
 * is corrupt.
 */
function readBatchLayout(
  metadata: Uint8Array,
  { axis }: SeriesHead,
  { bodyAt, end }: { bodyAt: number; end: number },
  file: string,
): BatchLayout {
  checkVectorLengths(metadata);
  const message = Message.decode(metadata);
  const reject = (problem: string, allowed: string) => new FormatError({ subject: file, problem, allowed });
  if (!message.isRecordBatch()) throw reject('holds something other than record batches', 'plain record batches');
  const { length: rows, buffers, nodes, compression } = message.header();
  if (compression != null) throw reject('is compressed', 'plain record batches');
  if (nodes.some(({ nullCount }) => nullCount > 0)) throw reject('has nulls', 'NaN for what is missing');
  const at = (buffer: number, bytes: number) => {
    const { offset, length } = buffers[buffer];
    const begin = bodyAt + offset;
    if (!(length >= bytes && begin >= bodyAt && begin + bytes <= end)) {
      throw reject('is cut short, or its batches are corrupt', 'a complete Arrow file');
    }
    return begin;
  };
  if (buffers.length !== SERIES_BUFFERS.count) throw reject('has a batch of other columns', 'those of its schema');
  return {
    rows,
    latitudeAt: at(SERIES_BUFFERS.latitude, rows * Float64Array.BYTES_PER_ELEMENT),
    longitudeAt: at(SERIES_BUFFERS.longitude, rows * Float64Array.BYTES_PER_ELEMENT),
    valuesAt: at(SERIES_BUFFERS.values, rows * seriesWidth(axis) * Float32Array.BYTES_PER_ELEMENT),
  };
}

/** Reads the schema from the footer, by a file without batches: apache-arrow reads only complete files. */
function schemaOf(ending: Uint8Array): Schema {
  const bytes = new Uint8Array(FILE_HEAD.length + ending.length);
  bytes.set(FILE_HEAD);
  bytes.set(ending, FILE_HEAD.length);
  return RecordBatchReader.from(bytes).open().schema;
}

function columnsOf({ fields }: Schema): string {
  return fields.map(({ name, type }) => `${name}: ${type}`).join(', ');
}

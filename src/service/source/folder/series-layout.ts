import { Message, RecordBatchReader, type Schema } from 'apache-arrow';
import { FormatError } from '../../../errors.js';
import { checkVectorLengths } from '../../../files/arrow/flatbuffer-vectors.js';
import { createSeriesSchema, SERIES_BUFFERS, type SeriesHead, seriesMetadata, seriesWidth } from './series-schema.js';

/** The first bytes of an Arrow file: ARROW1, padded to eight bytes. */
const FILE_HEAD = /* @__PURE__ */ Uint8Array.of(0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0, 0);

/** Where the buffers of one record batch lie in the file, in bytes from its start. */
interface BatchLayout {
  readonly rows: number;
  readonly latitudeAt: number;
  readonly longitudeAt: number;
  readonly valuesAt: number;
}

/** Where the values of each cell lie in the file. */
export class SeriesLayout {
  /** The number of cells. */
  readonly cells: number;
  readonly #cellBytes: number;
  /** The first cell of each batch. */
  readonly #firstCells: Float64Array;
  /** Where the values of each batch would begin if its cells were counted from cell 0 of the file. */
  readonly #origins: Float64Array;

  constructor(
    head: SeriesHead,
    readonly batches: readonly BatchLayout[],
  ) {
    this.#cellBytes = Float32Array.BYTES_PER_ELEMENT * seriesWidth(head.axis);
    this.#firstCells = new Float64Array(batches.length);
    this.#origins = new Float64Array(batches.length);
    let cells = 0;
    for (const [index, { rows, valuesAt }] of batches.entries()) {
      this.#firstCells[index] = cells;
      this.#origins[index] = valuesAt - cells * this.#cellBytes;
      cells += rows;
    }
    this.cells = cells;
  }

  /** Where the values of a cell begin, in bytes from the start of the file. */
  position(cell: number): number {
    const firstCells = this.#firstCells;
    let low = 0;
    let high = firstCells.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstCells[middle] <= cell) low = middle;
      else high = middle - 1;
    }
    return this.#origins[low] + cell * this.#cellBytes;
  }
}

/**
 * Throws FormatError, with `file` as its subject, unless its schema is that of the expected variable. `ending` is the
 * end of the file, from the footer on; where that is corrupt, any error is thrown.
 */
export function checkSeriesSchema(ending: Uint8Array, head: SeriesHead, file: string): void {
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
export function readBatchLayout(
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

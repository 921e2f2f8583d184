import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertKind, assertOneOf, assertShape } from '../../check/option-checks.js';
import { beginWork, type Work, type WorkOptions } from '../../check/work.js';
import { unwritable } from '../../disk/file-fault.js';
import { OptionError, unusable } from '../../errors.js';
import { type ArrayValues, bytesOf, elementBytes } from '../array/array-file.js';
import { ChunkAssembler, type CompleteChunk, filledValues, product } from '../array/chunk-assembler.js';
import { chunkShape } from '../array/chunk-shape.js';
import { loadEncoder } from '../codecs/load-encoder.js';
import { checkContent } from '../netcdf4/check-content.js';
import type { NetcdfArray, NetcdfContent, ValueBox } from '../netcdf4/netcdf-content.js';
import { arrayDocument, groupDocument, ZARR_COMPRESSIONS, type ZarrCompression } from './created-metadata.js';
import type { MetadataDocument } from './metadata-document.js';

/** How a Zarr store is written. */
export interface ZarrOptions extends WorkOptions {
  /** How chunks are compressed: `zstd` (the default), or `none`. */
  readonly compression?: ZarrCompression;
}

/** The document of a group or an array. */
const DOCUMENT = 'zarr.json';
/** The number of chunks that are written at the same time. */
const CHUNKS_AT_ONCE = 4;

/**
 * Writes a Zarr store of version 3 into a new folder: a file for each chunk, the metadata of all arrays also
 * consolidated in the root. Values are written as they arrive: only incomplete chunks are in memory. The same content
 * gives the same bytes. The root comes last: until all is written, the folder is no store.
 *
 * The folder is removed where the writer fails. Throws OptionError for content that contradicts itself, or that Zarr
 * cannot store; FileError if the folder exists or files cannot be written; PackageError if the library of zstd is
 * missing; and what the iterables of values throw.
 */
export async function writeZarr3(path: string, content: NetcdfContent, options: ZarrOptions = {}): Promise<void> {
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  const { work, others } = beginWork(options, 'values');
  const { compression = ZARR_COMPRESSIONS[0] } = others;
  assertOneOf('compression', compression, ZARR_COMPRESSIONS);
  checkContent(content, 'Zarr');
  const plans = content.arrays.map((array) => planArray(array, content, compression));
  const root = groupDocument(content.attributes, new Map(plans.map(({ array, document }) => [array.name, document])));
  work.expect(plans.reduce((sum, { shape }) => sum + product(shape), 0));
  const encode = compression === 'none' ? (bytes: Uint8Array) => bytes : await loadEncoder('zstd', 'Zarr');
  await mkdir(path).catch((cause) => Promise.reject(unwritable(path, cause)));
  const files = new StoreFiles(path, work);
  try {
    for (const plan of plans) await writeArray(files, plan, encode);
    await files.end();
    await files.writeDocument('', root);
  } catch (cause) {
    await files.settled();
    await rm(path, { recursive: true, force: true });
    work.check();
    throw cause;
  }
}

interface ArrayPlan {
  readonly array: NetcdfArray;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly document: MetadataDocument;
}

function planArray(array: NetcdfArray, { dimensions }: NetcdfContent, compression: ZarrCompression): ArrayPlan {
  const { name, type } = array;
  if (name === DOCUMENT || name.startsWith('__')) {
    throw new OptionError({
      subject: `Zarr ${name}`,
      problem: 'is a name that Zarr reserves',
      allowed: 'another name',
    });
  }
  const shape = array.dimensions.map((dimension) => dimensions.get(dimension) as number);
  const chunk = type === 'text' ? shape : (array.chunk ?? chunkShape(shape, elementBytes(type)));
  return { array, shape, chunk, document: arrayDocument(array, shape, chunk, compression) };
}

type Encode = (bytes: Uint8Array) => Uint8Array;

async function writeArray(files: StoreFiles, { array, shape, chunk, document }: ArrayPlan, encode: Encode) {
  const { name, type, values } = array;
  const write = ({ start, values: complete }: CompleteChunk) =>
    files.writeChunk(name, chunkPlace(start, chunk), encode(bytesOf(complete)));
  if (type === 'text') {
    await files.writeChunk(
      name,
      chunkPlace(
        shape.map(() => 0),
        chunk,
      ),
      encode(textBytes(values as readonly string[])),
    );
  } else if (shape.length === 0) {
    await write({ start: [], values: values as ArrayValues });
  } else {
    const assembler = new ChunkAssembler(shape, chunk, () => filledValues(type, product(chunk), array.fillValue));
    for await (const box of files.work.taken(boxesOf(array, shape))) {
      assertShape(`Zarr ${name}, box`, box, { start: 'list', count: 'list' });
      if (!ArrayBuffer.isView(box.values)) throw unusable(`Zarr ${name}, values of a box`, box.values, 'a typed array');
      for (const complete of assembler.add(box)) await write(complete);
      files.work.advance(box.values.length);
    }
    for (const open of assembler.rest()) await write(open);
  }
  await files.writeDocument(name, document);
}

function boxesOf({ values }: NetcdfArray, shape: readonly number[]): AsyncIterable<ValueBox> | Iterable<ValueBox> {
  if (!ArrayBuffer.isView(values)) return values as AsyncIterable<ValueBox>;
  return [{ start: shape.map(() => 0), count: shape, values: values as ArrayValues }];
}

function chunkPlace(start: readonly number[], chunk: readonly number[]): number[] {
  return start.map((at, d) => at / chunk[d]);
}

/** The codec `vlen-utf8` of numcodecs: the count, then each text preceded by its length, all numbers in four bytes. */
function textBytes(texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + 4 + length, 4));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, texts.length, true);
  let at = 4;
  for (const text of encoded) {
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

/** The files of a new store, of which some are written at the same time. */
class StoreFiles {
  readonly work: Work;
  readonly #root: string;
  readonly #writing = new Set<Promise<void>>();
  #failure: { readonly cause: unknown } | undefined;

  constructor(root: string, work: Work) {
    this.#root = root;
    this.work = work;
  }

  /** Writes a chunk, by its place in the grid of chunks; waits where others are being written. */
  async writeChunk(array: string, place: readonly number[], bytes: Uint8Array): Promise<void> {
    await this.work.pause();
    while (this.#writing.size >= CHUNKS_AT_ONCE) await Promise.race(this.#writing);
    this.#assertWritten();
    const writing = this.#write([array, 'c', ...place.map(String)], bytes)
      .catch((cause) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async writeDocument(array: string, document: MetadataDocument): Promise<void> {
    await this.#write([array, DOCUMENT], new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`));
  }

  /** Waits until all chunks are written. */
  async end(): Promise<void> {
    await this.settled();
    this.#assertWritten();
  }

  /** Waits until nothing is written any more, after a failure. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #assertWritten(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  async #write(steps: readonly string[], bytes: Uint8Array): Promise<void> {
    const path = join(this.#root, ...steps);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes, { flag: 'wx' });
    } catch (cause) {
      throw unwritable(this.#root, cause);
    }
  }
}

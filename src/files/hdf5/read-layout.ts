import type { RandomAccess } from '../array/random-access.js';
import { externalFiles } from './external-files.js';
import { headerMessages, isText, readBytes, viewOf } from './read-header.js';

/** Types of messages. */
const EXTERNAL_FILES = 0x07;
const LAYOUT = 0x08;
/** Classes of layouts. */
const CONTIGUOUS = 1;
const CHUNKED = 2;
const UNDEFINED_ADDRESS = 2n ** 64n - 1n;
const SIGNATURE_BYTES = 8;

/** The place of values that are stored as one run. */
export interface ContiguousLayout {
  readonly kind: 'contiguous';
  readonly at: number;
  readonly bytes: number;
}

/** The place of the index of a dataset's chunks, and their shape. */
export interface ChunkedLayout {
  readonly kind: 'chunked';
  /** Undefined if no chunk was written. */
  readonly tree: number | undefined;
  /** The shape of a chunk. */
  readonly chunk: readonly number[];
}

/** Values that are in other files. */
interface ExternalLayout {
  readonly kind: 'external';
  /** The names of some of these files. */
  readonly files: readonly string[];
}

export type Layout = ContiguousLayout | ChunkedLayout | ExternalLayout;

/**
 * Reads the layout of the dataset whose header is at `address`, in a file whose addresses have eight bytes. Undefined
 * unless values are in other files, are one run of the file, or in chunks that a B-tree of version 1 lists, as most
 * programs write them; and for headers of another form.
 */
export async function readLayout(access: RandomAccess, address: number): Promise<Layout | undefined> {
  let layout: Layout | undefined;
  for await (const { type, isShared, body } of headerMessages(access, address)) {
    if (type === EXTERNAL_FILES) return { kind: 'external', files: await externalFiles(access, body) };
    if (type === LAYOUT && !isShared) {
      layout ??= body[1] === CONTIGUOUS ? await contiguousLayout(access, body) : chunkedLayout(body);
    }
  }
  return layout;
}

/**
 * Versions 3 and 4: version, class, the address of the values (8 bytes), their bytes (8). Undefined if no value was
 * written, or they are in other files. Addresses count from the superblock: undefined, too, where that is not the
 * beginning of the file.
 */
async function contiguousLayout(access: RandomAccess, body: Uint8Array): Promise<ContiguousLayout | undefined> {
  if ((body[0] !== 3 && body[0] !== 4) || body.length < 18) return undefined;
  const start = await readBytes(access, 0, SIGNATURE_BYTES);
  if (start === undefined || !isText(start.subarray(1), 'HDF')) return undefined;
  const view = viewOf(body);
  const address = view.getBigUint64(2, true);
  const [at, bytes] = [Number(address), Number(view.getBigUint64(10, true))];
  if (address === UNDEFINED_ADDRESS || !(at + bytes <= access.size)) return undefined;
  return { kind: 'contiguous', at, bytes };
}

/**
 * Version 3: version, class, dimensions and one more, the address of the tree (8 bytes), lengths (4 each), the last of
 * them of an element.
 */
function chunkedLayout(body: Uint8Array): ChunkedLayout | undefined {
  const rank = body[2] - 1;
  if (body[0] !== 3 || body[1] !== CHUNKED || rank < 1 || body.length < 11 + 4 * (rank + 1)) return undefined;
  const view = viewOf(body);
  const tree = view.getBigUint64(3, true);
  return {
    kind: 'chunked',
    tree: tree === UNDEFINED_ADDRESS ? undefined : Number(tree),
    chunk: Array.from({ length: rank }, (_, d) => view.getUint32(11 + 4 * d, true)),
  };
}

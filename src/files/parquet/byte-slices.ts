/** Texts or other values of bytes: value `i` is `bytes` from `starts[i]` up to, not including, `ends[i]`. */
export interface ByteSlices {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly length: number;
}

/**
 * Values of known lengths, one after the other from `at` up to the end of the bytes. Throws a RangeError if they end
 * elsewhere.
 */
export function consecutiveSlices(bytes: Uint8Array, at: number, lengths: Int32Array): ByteSlices {
  const starts = new Uint32Array(lengths.length);
  const ends = new Uint32Array(lengths.length);
  let next = at;
  for (let i = 0; i < lengths.length; i++) {
    starts[i] = next;
    next += lengths[i];
    if (lengths[i] < 0 || next > bytes.length) throw new RangeError(`a text of ${lengths[i]} bytes`);
    ends[i] = next;
  }
  assertEnd(bytes, next);
  return { bytes, starts, ends, length: lengths.length };
}

/** `count` values of `width` bytes each. Throws a RangeError if there are more or fewer bytes. */
export function fixedSlices(bytes: Uint8Array, count: number, width: number): ByteSlices {
  return consecutiveSlices(bytes, 0, new Int32Array(count).fill(width));
}

/** `count` values, each preceded by its length. Throws a RangeError if there are more or fewer bytes. */
export function prefixedSlices(bytes: Uint8Array, count: number): ByteSlices {
  if (count * 4 > bytes.length) throw new RangeError(`${bytes.length} bytes for ${count} texts`);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) throw new RangeError(`texts that end after ${i} of ${count}`);
    const length = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
    starts[i] = at + 4;
    at += 4 + length;
    if (at > bytes.length) throw new RangeError(`a text of ${length} bytes`);
    ends[i] = at;
  }
  assertEnd(bytes, at);
  return { bytes, starts, ends, length: count };
}

/** The values at `indices`; they view the same bytes. Throws a RangeError for an index out of range. */
export function slicesAt({ bytes, starts, ends, length }: ByteSlices, indices: Uint32Array): ByteSlices {
  const into = { starts: new Uint32Array(indices.length), ends: new Uint32Array(indices.length) };
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (index >= length) throw new RangeError(`value ${index} of a dictionary of ${length}`);
    into.starts[i] = starts[index];
    into.ends[i] = ends[index];
  }
  return { bytes, ...into, length: indices.length };
}

/** The zeros that fastparquet writes after the values of a page. */
const PADDING_BYTES = 8;

/** Whether bytes after the values of a page are what fastparquet writes there. */
export function isPadding(rest: Uint8Array): boolean {
  return rest.length === PADDING_BYTES && rest.every((byte) => byte === 0);
}

function assertEnd(bytes: Uint8Array, end: number): void {
  if (end !== bytes.length && !isPadding(bytes.subarray(end)))
    throw new RangeError(`${bytes.length} bytes for values that take ${end}`);
}

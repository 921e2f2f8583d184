/** Everything begins at a multiple of this, as Arrow recommends. */
const ALIGNMENT = 64;
const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;

/** The least multiple of 64 that is not less than `bytes`. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The metadata of an Arrow message as they stand in a stream: behind a marker and their length, filled up with zeros. */
export function encapsulated(metadata: Uint8Array): Uint8Array {
  const message = new Uint8Array(aligned(PREFIX_BYTES + metadata.length));
  const view = new DataView(message.buffer);
  view.setUint32(0, CONTINUATION, true);
  view.setUint32(4, message.length - PREFIX_BYTES, true);
  message.set(metadata, PREFIX_BYTES);
  return message;
}

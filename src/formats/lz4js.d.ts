/** The part of lz4js that is used here; the package has no types. */
declare module 'lz4js' {
  const lz4: { decompress(frame: Uint8Array): Uint8Array };
  export default lz4;
}

declare module 'lz4js/xxh32.js' {
  const xxh32: { hash(seed: number, bytes: Uint8Array, from: number, length: number): number };
  export default xxh32;
}

/** The part of lz4js that is used here; the package has no types. */
declare module 'lz4js' {
  const lz4: { decompress(frame: Uint8Array): Uint8Array };
  export default lz4;
}

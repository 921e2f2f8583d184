// The condition of package.json `imports` that applies chooses which of these two it is.
declare module '#wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '*.wasm' {
  const content: Uint8Array<ArrayBuffer> & WebAssembly.Module;
  export default content;
}

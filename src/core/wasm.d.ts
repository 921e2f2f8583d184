// The condition of package.json `imports` that applies chooses which it is.
declare module '#wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

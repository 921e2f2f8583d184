// The conditions of `imports` in package.json choose which of the two it is.
declare module '#wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '#table-wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '#grib-wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '#store-wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '#encoder-wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '#skill-wasm' {
  const source: BufferSource | WebAssembly.Module;
  export default source;
}

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

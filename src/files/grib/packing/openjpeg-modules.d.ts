// The conditions of package.json `imports` choose the implementation.
declare module '#openjpeg' {
  export const loadOpenJpeg: import('./openjpeg.js').LoadOpenJpeg;
}

/** The package has no types. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  const create: import('./openjpeg.js').CreateOpenJpeg;
  export default create;
}

/** Its module, as base64 text where a bundler packs it. */
declare module '@cornerstonejs/codec-openjpeg/decodewasm' {
  const module: string;
  export default module;
}

import base64 from './wasm-base64.js';

/** The module as bytes, for runtimes that compile WebAssembly from bytes. */
const characters = atob(base64);
const bytes = new Uint8Array(characters.length);
for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);

export default bytes;

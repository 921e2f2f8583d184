import { base64Bytes } from './base64-bytes.js';
import base64 from './skill-wasm-base64.js';

/** The module of scores as bytes, for runtimes that compile WebAssembly from bytes. */
export default base64Bytes(base64);

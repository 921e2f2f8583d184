import { base64Bytes } from './base64-bytes.js';
import base64 from './store-wasm-base64.js';

/** The module of stores as bytes, for runtimes that compile WebAssembly from bytes. */
export default base64Bytes(base64);

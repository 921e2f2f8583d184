import { Buffer } from 'node:buffer';
import base64 from './encoder-wasm-base64.js';

/** The module of the encoder as bytes; Node has a faster way to read base64. */
export default Buffer.from(base64, 'base64');

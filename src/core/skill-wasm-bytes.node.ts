import { Buffer } from 'node:buffer';
import base64 from './skill-wasm-base64.js';

/** The module of scores as bytes; Node has a faster way to read base64. */
export default Buffer.from(base64, 'base64');

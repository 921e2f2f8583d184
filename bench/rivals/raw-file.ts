import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Members } from '../data.js';

/** Writes members one after the other as little-endian float32. */
export function writeMembers(path: string, members: Members): void {
  const file = openSync(path, 'w');
  for (const { buffer, byteOffset, byteLength } of members) {
    let done = 0;
    while (done < byteLength) done += writeSync(file, new Uint8Array(buffer, byteOffset + done, byteLength - done));
  }
  closeSync(file);
}

/** All of a file of little-endian float32. */
export function readFloats(path: string): Float32Array {
  const file = openSync(path, 'r');
  const bytes = new Uint8Array(fstatSync(file).size);
  let done = 0;
  while (done < bytes.length) done += readSync(file, bytes, done, bytes.length - done, null);
  closeSync(file);
  return new Float32Array(bytes.buffer);
}

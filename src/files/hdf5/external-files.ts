import type { RandomAccess } from '../array/random-access.js';
import { isText, readBytes, viewOf } from './read-header.js';

/*
 * The message of external files (HDF5 File Format Specification, section IV.A.2.h): version, nothing (3 bytes), slots (2), used slots (2),
 * the address of the heap with their names (8); a slot has the offset of the name (8), where values begin (8), their bytes (8).
 */
const USED_SLOTS_AT = 6;
const HEAP_AT = 8;
const SLOTS_AT = 16;
const SLOT_BYTES = 24;
/** A local heap (section III.D): "HEAP", version, nothing (3), its bytes (8), free space (8), the address of its content (8). */
const HEAP_HEADER = 32;
const CONTENT_AT = 24;
const MAX_NAME_BYTES = 1024;
/** More names say no more. */
const MAX_NAMES = 4;

/** The names of the files that hold the values of a dataset, as far as the message with this body says them. */
export async function externalFiles(access: RandomAccess, body: Uint8Array): Promise<readonly string[]> {
  if (body.length < SLOTS_AT) return [];
  const view = viewOf(body);
  const heap = await readBytes(access, Number(view.getBigUint64(HEAP_AT, true)), HEAP_HEADER);
  if (heap === undefined || !isText(heap, 'HEAP')) return [];
  const content = Number(viewOf(heap).getBigUint64(CONTENT_AT, true));
  const names: string[] = [];
  const slots = Math.min(view.getUint16(USED_SLOTS_AT, true), MAX_NAMES);
  for (let at = SLOTS_AT; names.length < slots && at + SLOT_BYTES <= body.length; at += SLOT_BYTES) {
    const from = content + Number(view.getBigUint64(at, true));
    const bytes = await readBytes(access, from, Math.min(MAX_NAME_BYTES, access.size - from));
    if (bytes === undefined) return names;
    const end = bytes.indexOf(0);
    names.push(new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)));
  }
  return names;
}

import type { Metadata } from 'h5wasm';
import { elements } from '../array/box.js';
import { storedText } from '../array/stored-text.js';
import { decodeTexts } from './decode-values.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { isCharacters } from './stored-type.js';

/** All texts of a dataset. Throws FormatError where the library cannot read them. */
export function readTexts(file: Hdf5Handle, path: string, subject: string, metadata: Metadata): string[] {
  const { size, total_size: length, vlen, shape } = metadata;
  return file.lend(size * length, (at) => {
    const place = BigInt(at);
    if (length > 0) file.ask(subject, (library, id) => library.get_dataset_data(id, path, null, null, null, place));
    if (isCharacters(metadata)) return rowsOfCharacters(file.library.HEAPU8.subarray(at, at + length), shape ?? []);
    const texts = decodeTexts(file.library, at, length, metadata);
    if (vlen) file.ask(subject, (library, id) => library.reclaim_vlen_memory(id, path, '', place));
    return texts;
  });
}

function rowsOfCharacters(characters: Uint8Array, shape: readonly number[]): string[] {
  const width = shape[shape.length - 1];
  return Array.from({ length: elements(shape.slice(0, -1)) }, (_, i) => {
    return storedText(characters.subarray(i * width, (i + 1) * width));
  });
}

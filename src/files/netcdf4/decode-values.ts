import type { Metadata } from 'h5wasm';
import type { ArrayType } from '../array/array-file.js';
import { storedText } from '../array/stored-text.js';
import type { Hdf5Library } from './hdf5-handle.js';

/** HDF5's number for texts of fixed length that are padded with spaces; others are padded with NULs. */
const SPACE_PADDED = 2;

/** Reads `length` texts, of fixed or variable length, from the library's memory from `at` on. */
export function decodeTexts({ HEAPU8 }: Hdf5Library, at: number, length: number, metadata: Metadata): string[] {
  const { size, vlen, strpad } = metadata;
  const pointers = new DataView(HEAPU8.buffer, at);
  return Array.from({ length }, (_, i) => {
    if (vlen) {
      const from = pointers.getUint32(i * size, true);
      return from === 0 ? '' : storedText(HEAPU8.slice(from, HEAPU8.indexOf(0, from)));
    }
    const bytes = HEAPU8.slice(at + i * size, at + (i + 1) * size);
    if (strpad === SPACE_PADDED) return storedText(bytes).trimEnd();
    const end = bytes.indexOf(0);
    return storedText(end < 0 ? bytes : bytes.subarray(0, end));
  });
}

/** Reads `length` numbers from the library's memory from `at` on. */
export function decodeNumbers({ HEAPU8 }: Hdf5Library, at: number, length: number, type: ArrayType): number[] {
  const view = new DataView(HEAPU8.buffer, at);
  const read = READERS[type as keyof typeof READERS];
  return Array.from({ length }, (_, i) => Number(read(view, i)));
}

const READERS = {
  int8: (view: DataView, i: number) => view.getInt8(i),
  uint8: (view: DataView, i: number) => view.getUint8(i),
  int16: (view: DataView, i: number) => view.getInt16(2 * i, true),
  uint16: (view: DataView, i: number) => view.getUint16(2 * i, true),
  int32: (view: DataView, i: number) => view.getInt32(4 * i, true),
  uint32: (view: DataView, i: number) => view.getUint32(4 * i, true),
  int64: (view: DataView, i: number) => view.getBigInt64(8 * i, true),
  uint64: (view: DataView, i: number) => view.getBigUint64(8 * i, true),
  float32: (view: DataView, i: number) => view.getFloat32(4 * i, true),
  float64: (view: DataView, i: number) => view.getFloat64(8 * i, true),
};

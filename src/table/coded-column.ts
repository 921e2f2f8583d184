import { type Data, DataType, makeVector, type Vector } from 'apache-arrow';
import { plainValue } from './stored-values.js';

/** A column by its distinct values, in the order of their first rows. */
export interface CodedColumn {
  /** For each row, which of `values` it has; -1 where it is null. */
  readonly codes: Int32Array;
  readonly values: readonly unknown[];
}

/** Gives equal values the same code. Texts are compared as bytes, so that each is decoded only once. */
export function codedColumn(vector: Vector): CodedColumn {
  const codes = new Int32Array(vector.length);
  const values: unknown[] = [];
  const codeOf = new Map<unknown, number>();
  const code = (value: unknown): number => {
    if (value === null) return -1;
    const known = codeOf.get(value);
    if (known !== undefined) return known;
    codeOf.set(value, values.length);
    return values.push(value) - 1;
  };
  const textCode = textCoder(code);
  let row = 0;
  for (const data of vector.data) {
    const codeAt = coder(data, code, textCode);
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < data.length; i++) codes[row++] = hasNulls && !data.getValid(i) ? -1 : codeAt(i);
  }
  return { codes, values };
}

type TextCoder = (bytes: Uint8Array, from: number, to: number) => number;

/** Returns the code of a row of a chunk that is not null. */
function coder(data: Data, code: (value: unknown) => number, textCode: TextCoder): (index: number) => number {
  const { type, values } = data;
  if (DataType.isDictionary(type)) {
    const entries = data.dictionary as Vector;
    const codes: number[] = [];
    return (index) => {
      const entry = Number(values[index]);
      codes[entry] ??= code(plainValue(entries.get(entry), type));
      return codes[entry];
    };
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const offsets = data.valueOffsets as ArrayLike<number | bigint>;
    return (index) => textCode(values, Number(offsets[index]), Number(offsets[index + 1]));
  }
  if (values instanceof Float64Array || (DataType.isInt(type) && values instanceof Int32Array)) {
    return numberCoder(values, code);
  }
  const chunk = makeVector(data);
  return (index) => code(plainValue(chunk.get(index), type));
}

/** Numbers come in runs, and in the same order again and again: the one before is compared, then the one that followed it last. */
function numberCoder(values: ArrayLike<number>, code: (value: unknown) => number): (index: number) => number {
  const numbers: number[] = [];
  const following: number[] = [];
  let last = 0;
  return (index) => {
    const value = values[index];
    if (value === numbers[last]) return last;
    const next = following[last];
    if (value === numbers[next]) return (last = next);
    const found = code(value);
    numbers[found] = value;
    following[last] = found;
    return (last = found);
  };
}

/** Codes UTF-8 texts by a hash of their bytes. */
function textCoder(code: (value: unknown) => number): TextCoder {
  const decoder = new TextDecoder();
  const known = new Map<number, { bytes: Uint8Array; code: number }[]>();
  return (bytes, from, to) => {
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]) & 0x3fffffff;
    let alike = known.get(hash);
    if (alike === undefined) known.set(hash, (alike = []));
    for (const text of alike) if (isSame(text.bytes, bytes, from, to)) return text.code;
    const text = bytes.slice(from, to);
    const added = { bytes: text, code: code(decoder.decode(text)) };
    alike.push(added);
    return added.code;
  };
}

function isSame(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[from + i]) return false;
  return true;
}

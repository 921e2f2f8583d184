import { type Data, DataType, Dictionary, Int32, makeData, makeVector, Utf8 } from 'apache-arrow';
import { codedColumn } from '../../table/arrow/coded-column.js';
import { textDictionary } from '../../table/build/create-table.js';
import { ValidityBitmap } from '../arrow/validity-bitmap.js';
import type { ByteSlices } from './byte-slices.js';

/** The type of a column of texts that are codes. */
export type CodedText = Dictionary<Utf8, Int32>;

export function codedTextType(): CodedText {
  return new Dictionary(new Utf8(), new Int32());
}

export function isCodedText(type: DataType): type is CodedText {
  return DataType.isDictionary(type) && DataType.isUtf8(type.dictionary);
}

/** A column of codes, from -1 for null on, of the texts of a dictionary. */
export function codedTexts(type: CodedText, texts: Data): Data<CodedText> {
  const { codes, values } = codedColumn(makeVector(texts));
  const validity = new ValidityBitmap();
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] >= 0) continue;
    codes[row] = 0;
    validity.markNull(row);
  }
  const { nullCount } = validity;
  const nullBitmap = validity.bytes(codes.length);
  const dictionary = textDictionary(values as string[]).vector;
  return makeData({ type, length: codes.length, nullCount, nullBitmap, data: codes, dictionary });
}

/** Texts one after the other, as the entries of a dictionary. */
export function textsOfSlices({ bytes, starts, ends, length }: ByteSlices): Data<Utf8> {
  const valueOffsets = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) valueOffsets[i + 1] = valueOffsets[i] + ends[i] - starts[i];
  const data = new Uint8Array(valueOffsets[length]);
  for (let i = 0; i < length; i++) data.set(bytes.subarray(starts[i], ends[i]), valueOffsets[i]);
  return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
}

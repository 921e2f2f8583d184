import type { JsonWriter } from './json-writer.js';

/** A part of a JSON body that is written row by row: its beginning with the first row, its end with the last one. */
export interface JsonPart {
  readonly rows: number;
  /** Writes the rows from `from` up to, not including, `to`. */
  write(from: number, to: number): void;
}

/** Rows that are written between two checks of a piece's length. */
const STEP_ROWS = 64;
const PIECE_BYTES = 65_536;

/** A part without rows. */
export function onePart(write: () => void): JsonPart {
  return { rows: 0, write };
}

/** Writes the parts, in order, as one body. */
export function completeJson(parts: readonly JsonPart[], writer: JsonWriter): Uint8Array<ArrayBuffer> {
  writer.begin();
  for (const part of parts) part.write(0, part.rows);
  return writer.finish();
}

/**
 * The same body in pieces of about 64 KiB, each written on demand; `writer` must not be used for anything else
 * meanwhile.
 */
export function* jsonPieces(parts: readonly JsonPart[], writer: JsonWriter): Generator<Uint8Array> {
  writer.begin();
  for (const part of parts) {
    let row = 0;
    do {
      const end = Math.min(row + STEP_ROWS, part.rows);
      part.write(row, end);
      row = end;
      if (writer.length >= PIECE_BYTES) yield writer.take();
    } while (row < part.rows);
  }
  yield writer.finish();
}

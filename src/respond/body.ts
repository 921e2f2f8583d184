import type { Table } from 'apache-arrow';
import type { FloatArray } from '../core/float-array.js';
import { assertFinite, JsonWriter } from './json-writer.js';
import { completeJson, type JsonPart, jsonPieces } from './v2/write-body.js';

/** The media types of bodies, JSON first: it is the default. */
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const ARROW_TYPE = 'application/vnd.apache.arrow.stream';

export type MediaType = typeof JSON_TYPE | typeof CSV_TYPE | typeof ARROW_TYPE;

/** The `Content-Type` of each. */
export const CONTENT_TYPES: Readonly<Record<MediaType, string>> = {
  [JSON_TYPE]: JSON_TYPE,
  [CSV_TYPE]: 'text/csv; charset=utf-8; header=present',
  [ARROW_TYPE]: ARROW_TYPE,
};

/**
 * The bytes of a response: all at once, or for a long one, whose values are computed already, in pieces that are
 * written on demand.
 */
export type Body = Uint8Array | Generator<Uint8Array>;

type Tables = typeof import('./v2/tables.js');

/** What an answer of the `/v2` endpoints is written from. */
export interface BodyContent {
  /** Each variable's columns of numbers. */
  readonly columns: readonly (readonly FloatArray[])[];
  /** The bytes of parts of the JSON that are written already. Default 0. */
  readonly writtenBytes?: number;
  /** The parts of the body as JSON. */
  json(writer: JsonWriter): JsonPart[];
  /** Tables of some rows each; `isShared` gives all of them the same dictionaries. */
  tables(write: Tables, isShared: boolean): Iterable<Table>;
}

/** A body of at most so many numbers and labels is written at once: it takes a few milliseconds. */
export const MAX_SHORT_CELLS = 16_384;
/**
 * What is written already counts as a number for so many bytes, twice as many as a number takes with its name: only
 * copying it is left to do.
 */
const WRITTEN_BYTES = 32;
/** The columns of a table that hold no values. */
const LABEL_COLUMNS = 9;

/**
 * Writes the body of a `/v2` endpoint; short JSON is written with `writer`. Throws DataError for what JSON cannot hold.
 */
export function writeBody(mediaType: MediaType, writer: JsonWriter, content: BodyContent): Body | Promise<Body> {
  return mediaType === JSON_TYPE ? writeJson(content, writer) : writeTables(content, mediaType === CSV_TYPE);
}

function writeJson({ columns, json, writtenBytes = 0 }: BodyContent, writer: JsonWriter): Body {
  if (countCells(columns, 0) + writtenBytes / WRITTEN_BYTES <= MAX_SHORT_CELLS)
    return completeJson(json(writer), writer);
  // An infinite value must be found before the body begins: then it is too late for an error response.
  for (const column of columns.flat()) assertFinite(column);
  const ownWriter = new JsonWriter();
  return jsonPieces(json(ownWriter), ownWriter);
}

async function writeTables({ columns, tables }: BodyContent, isCsv: boolean): Promise<Body> {
  // Arrow is loaded only for requests that need it.
  const write = await import('./v2/tables.js');
  // CSV has no dictionaries, so that each table may have its own, which take less memory.
  const parts = tables(write, !isCsv);
  const pieces = isCsv ? write.csvPieces(parts) : write.arrowPieces(parts);
  return countCells(columns, LABEL_COLUMNS) <= MAX_SHORT_CELLS ? write.joinPieces([...pieces]) : pieces;
}

function countCells(columns: BodyContent['columns'], labels: number): number {
  let cells = 0;
  for (const ofVariable of columns) cells += (ofVariable.length + labels) * (ofVariable[0]?.length ?? 0);
  return cells;
}

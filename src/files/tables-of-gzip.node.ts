import type { Table } from 'apache-arrow';
import { ByteFeed } from './byte-feed.js';
import { gunzipPieces } from './codecs/gunzip-pieces.node.js';
import { MAX_UNPACKED_BYTES, tooLong } from './codecs/gzip.js';
import { type CsvTablesOptions, tablesOfCsv } from './csv/csv-tables.js';
import { detectFormat } from './detect-format.js';
import { readTable } from './read-table.js';

/** Bytes of the content that its format is detected from. */
const SAMPLE_BYTES = 65_537;
/** Bytes that are taken at a time. */
const PIECE_BYTES = 1_048_576;

/**
 * The tables of gzipped bytes as they come: of CSV as `tablesOfCsv` gives them; other formats are unpacked first, to 1
 * GiB at most, and give one table. Throws as these do, and a FormatError where the bytes are cut or damaged.
 */
export async function* tablesOfGzip(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: CsvTablesOptions,
): AsyncGenerator<Table> {
  const feed = new ByteFeed(gunzipPieces(pieces, source));
  try {
    await feed.has(SAMPLE_BYTES);
    const format = detectFormat(feed.peek(SAMPLE_BYTES), `${source}, unpacked`);
    if (format === 'csv') yield* tablesOfCsv(readPieces(feed), source, options);
    else yield await readTable(await allOf(feed, source), { source });
  } finally {
    await feed.close();
  }
}

async function* readPieces(feed: ByteFeed): AsyncGenerator<Uint8Array> {
  for (let isMore = true; isMore; ) {
    isMore = await feed.has(PIECE_BYTES);
    yield feed.takeUpTo(PIECE_BYTES);
  }
}

async function allOf(feed: ByteFeed, source: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readPieces(feed)) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_UNPACKED_BYTES) throw tooLong(source);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

import { RecordBatchReader, type Schema } from 'apache-arrow';
import { checkedFooterBlocks, footerWithoutBlocks, type MessageBlock } from './flatbuffer-vectors.js';

/** The text at the beginning and the end of an Arrow IPC file. */
export const MAGIC = 'ARROW1';
/** The bytes before the first message, and those after the footer: its length, and the magic text. */
export const HEAD_BYTES = 8;
export const TAIL_BYTES = 4 + MAGIC.length;

/** The schema of a file, and the places of its messages. */
export interface ArrowFooter {
  readonly schema: Schema;
  readonly dictionaries: readonly MessageBlock[];
  readonly recordBatches: readonly MessageBlock[];
}

/** Reads the footer of an Arrow IPC file. Throws if it is corrupt. */
export function readArrowFooter(footer: Uint8Array): ArrowFooter {
  return { ...checkedFooterBlocks(footer), schema: readSchema(footer) };
}

/** The schema of a footer: apache-arrow reads it as that of a file without batches. */
function readSchema(footer: Uint8Array): Schema {
  const file = new Uint8Array(HEAD_BYTES + footer.length + TAIL_BYTES);
  const magic = new TextEncoder().encode(MAGIC);
  file.set(magic);
  file.set(footerWithoutBlocks(footer), HEAD_BYTES);
  new DataView(file.buffer).setInt32(HEAD_BYTES + footer.length, footer.length, true);
  file.set(magic, file.length - MAGIC.length);
  const reader = RecordBatchReader.from(file);
  reader.open();
  return reader.schema;
}

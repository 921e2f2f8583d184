import { Message, type Schema } from 'apache-arrow';
import type { KeyValue } from 'hyparquet';
import { checkVectorLengths } from '../arrow/flatbuffer-vectors.js';

const ARROW_SCHEMA = 'ARROW:schema';

/** The key-value metadata of a Parquet file, with the metadata of the Arrow schema in it, which is returned beside. */
export function parquetMetadataMap(entries: readonly KeyValue[] = []): {
  metadata: Map<string, string>;
  arrowSchema: Schema | undefined;
} {
  const metadata = new Map<string, string>();
  let arrowSchema: Schema | undefined;
  for (const { key, value } of entries) {
    if (key === ARROW_SCHEMA) arrowSchema = decodeSchema(value ?? '');
    else metadata.set(key, value ?? '');
  }
  for (const [key, value] of arrowSchema?.metadata ?? []) metadata.set(key, value);
  return { metadata, arrowSchema };
}

/** The schema in an encapsulated IPC message in base64; `undefined` where it is unreadable, as it is only an addition. */
function decodeSchema(base64: string): Schema | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const content = bytes.subarray(8);
    checkVectorLengths(content);
    const message = Message.decode(content);
    return message.isSchema() ? (message.header() as unknown as Schema) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Field offsets in the tables of Arrow's Message.fbs, File.fbs and Schema.fbs, as flatbuffers number them: 4 + 2 *
 * index.
 */
const MESSAGE = { headerType: 6, header: 8 };
const FOOTER = { schema: 6, dictionaries: 8, recordBatches: 10 };
const BLOCK_BYTES = 24;
const SCHEMA = { fields: 6, metadata: 8 };
const FIELD = { name: 4, type: 8, children: 14, metadata: 16 };
const RECORD_BATCH = { nodes: 6, buffers: 8, variadicCounts: 12 };
const DICTIONARY_BATCH = { data: 6 };
const HEADER_TYPE = { schema: 1, dictionaryBatch: 2 };
const KINDS = ['schema', 'dictionary', 'batch'] as const;

/**
 * Throws a RangeError if a vector in the `metadata` of an Arrow IPC message is longer than the metadata.
 *
 * apache-arrow trusts such lengths, and would loop over billions of elements of a corrupt file.
 */
export function checkVectorLengths(metadata: Uint8Array): void {
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  const message = view.getUint32(0, true);
  const typeAt = fieldAt(view, message, MESSAGE.headerType);
  const header = target(view, fieldAt(view, message, MESSAGE.header));
  if (typeAt === undefined || header === undefined) return;
  const type = view.getUint8(typeAt);
  if (type === HEADER_TYPE.schema) {
    checkSchema(view, header);
    return;
  }
  const batch =
    type === HEADER_TYPE.dictionaryBatch ? target(view, fieldAt(view, header, DICTIONARY_BATCH.data)) : header;
  if (batch === undefined) return;
  checkVector(view, batch, RECORD_BATCH.nodes, 16);
  checkVector(view, batch, RECORD_BATCH.buffers, 16);
  checkVector(view, batch, RECORD_BATCH.variadicCounts, 8);
}

/** The kind of a message, by its metadata; undefined if it is not a message of a file. */
export function messageKind(metadata: Uint8Array): (typeof KINDS)[number] | undefined {
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  try {
    const message = view.getUint32(0, true);
    const typeAt = fieldAt(view, message, MESSAGE.headerType);
    const header = target(view, fieldAt(view, message, MESSAGE.header));
    checkVectorLengths(metadata);
    return typeAt === undefined || header === undefined ? undefined : KINDS[view.getUint8(typeAt) - 1];
  } catch {
    return undefined;
  }
}

/** The place of a message in an Arrow IPC file. */
export interface MessageBlock {
  readonly offset: number;
  /** Bytes of its length and metadata, and of the body that follows. */
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

/** Checks the footer of an Arrow IPC file in the same way, and returns the places of the messages that it lists. */
export function checkedFooterBlocks(footer: Uint8Array): Record<'dictionaries' | 'recordBatches', MessageBlock[]> {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
  const root = view.getUint32(0, true);
  checkVector(view, root, FOOTER.dictionaries, BLOCK_BYTES);
  checkVector(view, root, FOOTER.recordBatches, BLOCK_BYTES);
  const schema = target(view, fieldAt(view, root, FOOTER.schema));
  if (schema !== undefined) checkSchema(view, schema);
  return {
    dictionaries: messageBlocks(view, root, FOOTER.dictionaries),
    recordBatches: messageBlocks(view, root, FOOTER.recordBatches),
  };
}

/** A copy of a footer with the schema, but without messages. */
export function footerWithoutBlocks(footer: Uint8Array): Uint8Array {
  const copy = footer.slice();
  const view = new DataView(copy.buffer);
  const root = view.getUint32(0, true);
  for (const field of [FOOTER.dictionaries, FOOTER.recordBatches]) {
    const vector = target(view, fieldAt(view, root, field));
    if (vector !== undefined) view.setUint32(vector, 0, true);
  }
  return copy;
}

/** A copy of a footer with other places for its messages. */
export function footerWithBlocks(
  footer: Uint8Array,
  blocks: Record<'dictionaries' | 'recordBatches', readonly MessageBlock[]>,
): Uint8Array {
  const copy = footer.slice();
  const view = new DataView(copy.buffer);
  const root = view.getUint32(0, true);
  for (const name of ['dictionaries', 'recordBatches'] as const) {
    const vector = target(view, fieldAt(view, root, FOOTER[name]));
    blocks[name].forEach(({ offset, metadataBytes, bodyBytes }, index) => {
      const at = (vector as number) + 4 + index * BLOCK_BYTES;
      view.setBigInt64(at, BigInt(offset), true);
      view.setInt32(at + 8, metadataBytes, true);
      view.setBigInt64(at + 16, BigInt(bodyBytes), true);
    });
  }
  return copy;
}

function messageBlocks(view: DataView, footer: number, field: number): MessageBlock[] {
  const vector = target(view, fieldAt(view, footer, field));
  if (vector === undefined) return [];
  return Array.from({ length: view.getUint32(vector, true) }, (_, index) => {
    const at = vector + 4 + index * BLOCK_BYTES;
    return {
      offset: Number(view.getBigInt64(at, true)),
      metadataBytes: view.getInt32(at + 8, true),
      bodyBytes: Number(view.getBigInt64(at + 16, true)),
    };
  });
}

function checkSchema(view: DataView, schema: number): void {
  checkVector(view, schema, SCHEMA.metadata, 4);
  // A field counts once for each reference to it: a schema with more fields than its bytes can hold is corrupt.
  checkFields(view, schema, SCHEMA.fields, { fields: view.byteLength / 4 });
}

function checkFields(view: DataView, table: number, field: number, left: { fields: number }): void {
  checkVector(view, table, field, 4);
  const vector = target(view, fieldAt(view, table, field));
  if (vector === undefined) return;
  const count = view.getUint32(vector, true);
  left.fields -= count;
  if (left.fields < 0) throw new RangeError(`a schema of more fields than its ${view.byteLength} bytes can hold`);
  for (let at = vector + 4; at < vector + 4 + count * 4; at += 4) {
    const child = at + view.getUint32(at, true);
    checkVector(view, child, FIELD.metadata, 4);
    checkName(view, child);
    checkFields(view, child, FIELD.children, left);
  }
}

/** A text of flatbuffers ends before a zero; a name with another one has a corrupt length. */
function checkName(view: DataView, field: number): void {
  checkVector(view, field, FIELD.name, 1);
  const name = target(view, fieldAt(view, field, FIELD.name));
  if (name === undefined) return;
  const length = view.getUint32(name, true);
  const bytes = new Uint8Array(view.buffer, view.byteOffset + name + 4, view.byteLength - name - 4);
  if (bytes.indexOf(0) !== length) throw new RangeError(`a name of ${length} bytes with a zero at another place`);
}

/**
 * The name of the column that has, or contains, a type with this number in Arrow's Schema.fbs: in the schema of a
 * message or of a footer whose vectors are checked. Undefined if there is none.
 */
export function columnWithType(bytes: Uint8Array, type: number, form: 'message' | 'footer'): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const schema = target(
    view,
    fieldAt(view, view.getUint32(0, true), form === 'message' ? MESSAGE.header : FOOTER.schema),
  );
  if (schema === undefined) return undefined;
  const has = (field: number): boolean => {
    const typeAt = fieldAt(view, field, FIELD.type);
    const isType = typeAt !== undefined && typeAt < view.byteLength && view.getUint8(typeAt) === type;
    return isType || tables(view, field, FIELD.children).some(has);
  };
  const column = tables(view, schema, SCHEMA.fields).find(has);
  const name = column === undefined ? undefined : target(view, fieldAt(view, column, FIELD.name));
  if (name === undefined) return undefined;
  return new TextDecoder().decode(bytes.subarray(name + 4, name + 4 + view.getUint32(name, true)));
}

/** The places of the tables in a vector of references. */
function tables(view: DataView, table: number, field: number): number[] {
  const vector = target(view, fieldAt(view, table, field));
  if (vector === undefined) return [];
  return Array.from({ length: view.getUint32(vector, true) }, (_, index) => {
    const at = vector + 4 + 4 * index;
    return at + view.getUint32(at, true);
  });
}

/** The place of a field of the table at `table`, or `undefined` if the table does not have it. */
function fieldAt(view: DataView, table: number, field: number): number | undefined {
  const vtable = table - view.getInt32(table, true);
  if (field >= view.getUint16(vtable, true)) return undefined;
  const offset = view.getUint16(vtable + field, true);
  return offset === 0 ? undefined : table + offset;
}

/** The target of the reference at `at`. */
function target(view: DataView, at: number | undefined): number | undefined {
  return at === undefined ? undefined : at + view.getUint32(at, true);
}

function checkVector(view: DataView, table: number, field: number, elementBytes: number): void {
  const vector = target(view, fieldAt(view, table, field));
  if (vector === undefined) return;
  const count = view.getUint32(vector, true);
  if (vector + 4 + count * elementBytes > view.byteLength) {
    throw new RangeError(`a vector of ${count} elements in ${view.byteLength} bytes of metadata`);
  }
}

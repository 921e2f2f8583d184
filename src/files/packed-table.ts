import { Data, type DataType, makeData, RecordBatch, type Schema, Struct, Table, Vector } from 'apache-arrow';

/** A table's buffers, to be sent to another thread; its schema is sent apart. */
export interface PackedTable {
  readonly batches: readonly { readonly length: number; readonly columns: readonly PackedData[] }[];
}

interface PackedData {
  readonly length: number;
  readonly offset: number;
  readonly nullCount: number;
  readonly buffers: readonly unknown[];
  readonly children: readonly PackedData[];
  /** The entries of a dictionary. */
  readonly dictionary?: readonly PackedData[];
}

type View = Uint8Array | undefined;

/**
 * Packs tables whose buffers nobody uses afterwards, and lists the buffers to transfer with them. Small parts of
 * buffers are copied.
 */
export function packTables(tables: readonly Table[]): { readonly packed: PackedTable[]; transfer: ArrayBuffer[] } {
  const moved = new Set<ArrayBuffer>();
  const packed = tables.map((table) => ({
    batches: table.batches.map(({ data }) => ({
      length: data.length,
      columns: data.children.map((column) => packData(column, moved)),
    })),
  }));
  return { packed, transfer: [...moved] };
}

function packData(data: Data, moved: Set<ArrayBuffer>): PackedData {
  const { length, offset, nullCount, dictionary } = data;
  const move = (view: View) => {
    const own = view !== undefined && 2 * view.byteLength < view.buffer.byteLength ? view.slice() : view;
    if (own !== undefined) moved.add(own.buffer as ArrayBuffer);
    return own;
  };
  const { valueOffsets, values, nullBitmap, typeIds } = data as unknown as Record<string, View>;
  return {
    ...{ length, offset, nullCount },
    buffers: [valueOffsets, values, nullBitmap, typeIds].map(move),
    children: data.children.map((child) => packData(child, moved)),
    dictionary: dictionary?.data.map((entries) => packData(entries, moved)),
  };
}

/** Makes a table of a schema from what `packTables` has packed. */
export function unpackTable({ batches }: PackedTable, schema: Schema): Table {
  const unpacked = batches.map(({ length, columns }) => {
    const children = columns.map((column, index) => unpackData(column, schema.fields[index].type));
    const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
    return new RecordBatch(schema, data);
  });
  return new Table(schema, unpacked);
}

function unpackData(packed: PackedData, type: DataType): Data {
  const { length, offset, nullCount, buffers, children, dictionary } = packed;
  const fields = (type as { children?: readonly { type: DataType }[] }).children ?? [];
  const unpacked = children.map((child, index) => unpackData(child, fields[index].type));
  const { dictionary: entryType } = type as unknown as { dictionary: DataType };
  const entries = dictionary && new Vector(dictionary.map((entry) => unpackData(entry, entryType)));
  return new Data(type, offset, length, nullCount, buffers as never, unpacked, entries);
}

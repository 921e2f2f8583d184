import { Data, type DataType, makeData, RecordBatch, type Schema, Struct, Table, Vector } from 'apache-arrow';

/** A table's buffers, to be sent to another thread; its schema is sent once. */
export interface PackedTable {
  readonly batches: readonly { readonly length: number; readonly columns: readonly PackedData[] }[];
}

interface PackedData {
  readonly length: number;
  readonly offset: number;
  readonly nullCount: number;
  readonly buffers: readonly unknown[];
  readonly children: readonly PackedData[];
  /** The entries of a dictionary; `same` are those of this column in the batch before. */
  readonly dictionary?: readonly PackedData[] | 'same';
}

type View = Uint8Array | undefined;

/** Packs tables of one schema, one after the other. */
export class TablePacker {
  readonly #dictionaries = new Map<number, Vector>();

  /** Copies a table, as its reader may use the buffers again, and lists the buffers to transfer with it. */
  pack(table: Table): { readonly packed: PackedTable; readonly transfer: ArrayBuffer[] } {
    const moved = new Set<ArrayBuffer>();
    const batches = table.batches.map(({ data }) => ({
      length: data.length,
      columns: data.children.map((column, index) => this.#packColumn(column, index, moved)),
    }));
    return { packed: { batches }, transfer: [...moved] };
  }

  #packColumn(data: Data, index: number, moved: Set<ArrayBuffer>): PackedData {
    const { dictionary } = data;
    const packed = packData(data, moved);
    if (dictionary === undefined) return packed;
    if (this.#dictionaries.get(index) === dictionary) return { ...packed, dictionary: 'same' };
    this.#dictionaries.set(index, dictionary);
    return { ...packed, dictionary: dictionary.data.map((entries) => packData(entries, moved)) };
  }
}

function packData(data: Data, moved: Set<ArrayBuffer>): PackedData {
  const { length, offset, nullCount } = data;
  const copy = (view: View) => {
    const own = view?.slice();
    if (own !== undefined) moved.add(own.buffer as ArrayBuffer);
    return own;
  };
  const { valueOffsets, values, nullBitmap, typeIds } = data as unknown as Record<string, View>;
  return {
    ...{ length, offset, nullCount },
    buffers: [valueOffsets, values, nullBitmap, typeIds].map(copy),
    children: data.children.map((child) => packData(child, moved)),
  };
}

/** Makes tables of one schema from what a `TablePacker` has packed, in the same order. */
export class TableUnpacker {
  readonly #schema: Schema;
  readonly #dictionaries = new Map<number, Vector>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  unpack({ batches }: PackedTable): Table {
    const schema = this.#schema;
    const unpacked = batches.map(({ length, columns }) => {
      const children = columns.map((column, index) => this.#unpackColumn(column, index));
      const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
      return new RecordBatch(schema, data);
    });
    return new Table(schema, unpacked);
  }

  #unpackColumn(packed: PackedData, index: number): Data {
    const { type } = this.#schema.fields[index];
    const { dictionary } = packed;
    if (dictionary !== undefined && dictionary !== 'same') {
      const entries = (type as unknown as { dictionary: DataType }).dictionary;
      this.#dictionaries.set(index, new Vector(dictionary.map((data) => unpackData(data, entries))));
    }
    return unpackData(packed, type, dictionary && this.#dictionaries.get(index));
  }
}

function unpackData(packed: PackedData, type: DataType, dictionary?: Vector): Data {
  const { length, offset, nullCount, buffers, children } = packed;
  const fields = (type as { children?: readonly { type: DataType }[] }).children ?? [];
  const unpacked = children.map((child, index) => unpackData(child, fields[index].type));
  return new Data(type, offset, length, nullCount, buffers as never, unpacked, dictionary);
}

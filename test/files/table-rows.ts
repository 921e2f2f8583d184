import type { Table } from 'apache-arrow';

/**
 * All cells of a table as plain values, column by column; dates and timestamps as the raw numbers that they are stored
 * as.
 */
export function columnsOf(table: Table): Record<string, unknown[]> {
  return Object.fromEntries(
    table.schema.fields.map(({ name }) => {
      const vector = table.getChild(name);
      const cells = (vector?.data ?? []).flatMap((data) =>
        Array.from({ length: data.length }, (_, row) => {
          if (!data.getValid(row)) return null;
          return data.type.typeId === 8 || data.type.typeId === 10 ? data.values[row] : undefined;
        }),
      );
      return [name, cells.map((cell, row) => (cell === undefined ? vector?.get(row) : cell))];
    }),
  );
}

/** The types of a table's columns, as Arrow writes them. */
export function typesOf(table: Table): Record<string, string> {
  return Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
}

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

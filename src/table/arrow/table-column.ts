import type { Schema, Table, Vector } from 'apache-arrow';

/** The positions of columns by name: a table may have hundreds of thousands, and Arrow searches them one by one. */
const placesOf = /* @__PURE__ */ new WeakMap<Schema, ReadonlyMap<string, number>>();

/** The column with a name; undefined if there is none. */
export function findColumn(table: Table, name: string): Vector | undefined {
  let places = placesOf.get(table.schema);
  if (places === undefined) {
    places = new Map(table.schema.fields.map((field, i) => [field.name, i]));
    placesOf.set(table.schema, places);
  }
  const place = places.get(name);
  return place === undefined ? undefined : (table.getChildAt(place) ?? undefined);
}

/** The column with a name that the table is known to have. */
export function columnOf(table: Table, name: string): Vector {
  return findColumn(table, name) as Vector;
}

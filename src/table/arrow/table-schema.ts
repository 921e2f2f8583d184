import { type Field, Schema, type Table, type Vector } from 'apache-arrow';

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

/**
 * Changes a schema so that the time to make record batches of it grows with the number of columns, not with its square.
 * apache-arrow merges the fields of each batch with those of its schema, and for this compares every name with all
 * others; here, fields with the same names in the same order are merged by position.
 */
export function quickSchema<T extends Schema>(schema: T): T {
  return Object.defineProperty(schema, 'assign', { value: assignByPlace, configurable: true, writable: true });
}

function assignByPlace(this: Schema, ...others: [Schema] | [Field[]] | Field[]): Schema {
  const [other] = others;
  const given = other instanceof Schema ? other.fields : Array.isArray(other) ? other : (others as Field[]);
  const own = this.fields;
  const isSame = given.length === own.length && given.every((field, i) => field.name === own[i].name);
  if (!isSame) return new Schema(own, this.metadata).assign(other instanceof Schema ? other : new Schema(given));
  const metadata = other instanceof Schema ? new Map([...this.metadata, ...other.metadata]) : this.metadata;
  if (metadata === this.metadata && given.every((field, i) => field === own[i])) return this;
  const merged = given.map((field, i) => field.clone({ metadata: new Map([...own[i].metadata, ...field.metadata]) }));
  return quickSchema(new Schema(merged, metadata));
}

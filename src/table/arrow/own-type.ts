import * as arrow from 'apache-arrow';
import { DataError } from '../../errors.js';

/**
 * The classes of types, by the numbers that types have in all versions. Older versions do not have the last classes.
 */
const CLASSES = /* @__PURE__ */ (() => [
  ...[undefined, arrow.Null, arrow.Int, arrow.Float, arrow.Binary, arrow.Utf8, arrow.Bool, arrow.Decimal, arrow.Date_],
  ...[arrow.Time, arrow.Timestamp, arrow.Interval, arrow.List, arrow.Struct, arrow.Union, arrow.FixedSizeBinary],
  ...[arrow.FixedSizeList, arrow.Map_, arrow.Duration, arrow.LargeBinary, arrow.LargeUtf8, arrow.LargeList],
  ...[undefined, arrow.BinaryView, arrow.Utf8View],
])() as readonly ({ readonly prototype: arrow.DataType } | undefined)[];

const known = /* @__PURE__ */ new WeakMap<arrow.DataType, arrow.DataType>();

/**
 * Whether an object was made by a class of our copy of apache-arrow: `instanceof` of newer versions accepts those of
 * others.
 */
export function isMadeBy(Class: { readonly prototype: object }, value: object): boolean {
  return Object.prototype.isPrototypeOf.call(Class.prototype, value);
}

/**
 * Converts a type of another copy of apache-arrow, of any version, to one of our copy. Throws a DataError if that has
 * no such type.
 */
export function ownType(type: arrow.DataType, column: string, source?: string): arrow.DataType {
  if (isMadeBy(arrow.DataType, type) && (type.children ?? []).every((field) => isOwnField(field))) return type;
  let own = known.get(type);
  if (own === undefined) known.set(type, (own = newType(type, column, source)));
  return own;
}

/** Converts a field to one with a type of our copy of apache-arrow. */
export function ownField(field: arrow.Field, column: string, source?: string): arrow.Field {
  if (isOwnField(field)) return field;
  const { name, type, nullable, metadata } = field;
  return new arrow.Field(name, ownType(type, column, source), nullable, metadata);
}

function isOwnField(field: arrow.Field): boolean {
  const { type } = field;
  return isMadeBy(arrow.Field, field) && isMadeBy(arrow.DataType, type) && (type.children ?? []).every(isOwnField);
}

function newType(type: arrow.DataType, column: string, source?: string): arrow.DataType {
  const toOwn = (other: arrow.DataType) => ownType(other, column, source);
  if (arrow.DataType.isDictionary(type)) {
    // Without the id of the other copy, as each copy counts its own dictionaries.
    return new arrow.Dictionary(toOwn(type.dictionary), toOwn(type.indices) as arrow.Int32, null, type.isOrdered);
  }
  const Class = CLASSES[type?.typeId];
  if (Class === undefined) {
    throw new DataError({
      source,
      column,
      problem: 'has a type that apache-arrow does not know here',
      received: String(type),
      allowed: 'others, or npm install apache-arrow@latest',
    });
  }
  const own = Object.assign(Object.create(Class.prototype), type);
  if (type.children) own.children = type.children.map((field) => ownField(field, column, source));
  return own;
}

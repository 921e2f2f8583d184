import * as arrow from 'apache-arrow';
import { DataError } from '../errors.js';

/** By the numbers that types have in all versions, from 1 on. Of the last, older versions do not have the classes. */
const CLASSES = /* @__PURE__ */ (() => [
  ...[undefined, arrow.Null, arrow.Int, arrow.Float, arrow.Binary, arrow.Utf8, arrow.Bool, arrow.Decimal, arrow.Date_],
  ...[arrow.Time, arrow.Timestamp, arrow.Interval, arrow.List, arrow.Struct, arrow.Union, arrow.FixedSizeBinary],
  ...[arrow.FixedSizeList, arrow.Map_, arrow.Duration, arrow.LargeBinary, arrow.LargeUtf8, arrow.LargeList],
  ...[undefined, arrow.BinaryView, arrow.Utf8View],
])() as readonly ({ readonly prototype: arrow.DataType } | undefined)[];

const known = /* @__PURE__ */ new WeakMap<arrow.DataType, arrow.DataType>();

/** Whether an object was made by a class of the apache-arrow that is imported here: newer versions take those of others for their own. */
export function isMadeBy(Class: { readonly prototype: object }, value: object): boolean {
  return Object.prototype.isPrototypeOf.call(Class.prototype, value);
}

/** A type of another copy of apache-arrow, of any version, as one of the copy that is imported here. Throws a DataError where that has none. */
export function ownType(type: arrow.DataType, column: string, source?: string): arrow.DataType {
  if (isMadeBy(arrow.DataType, type) && (type.children ?? []).every((field) => isOwnField(field))) return type;
  let own = known.get(type);
  if (own === undefined) known.set(type, (own = newType(type, column, source)));
  return own;
}

/** A field with a type of the apache-arrow that is imported here. */
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
    // With a number of its own, as each copy counts for itself.
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

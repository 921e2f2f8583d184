import * as arrow from 'apache-arrow';
import { DataError } from '../errors.js';

const { Type } = arrow;

/** By the numbers that types have in all versions. Of the last, not all versions have the classes, nor names for the numbers. */
const CLASSES = /* @__PURE__ */ new Map<number, { readonly prototype: arrow.DataType } | undefined>([
  [Type.Null, arrow.Null],
  [Type.Int, arrow.Int],
  [Type.Float, arrow.Float],
  [Type.Binary, arrow.Binary],
  [Type.Utf8, arrow.Utf8],
  [Type.Bool, arrow.Bool],
  [Type.Decimal, arrow.Decimal],
  [Type.Date, arrow.Date_],
  [Type.Time, arrow.Time],
  [Type.Timestamp, arrow.Timestamp],
  [Type.Interval, arrow.Interval],
  [Type.List, arrow.List],
  [Type.Struct, arrow.Struct],
  [Type.Union, arrow.Union],
  [Type.FixedSizeBinary, arrow.FixedSizeBinary],
  [Type.FixedSizeList, arrow.FixedSizeList],
  [Type.Map, arrow.Map_],
  [Type.Duration, arrow.Duration],
  [Type.LargeBinary, arrow.LargeBinary],
  [Type.LargeUtf8, arrow.LargeUtf8],
  [21, arrow.LargeList],
  [23, arrow.BinaryView],
  [24, arrow.Utf8View],
]);

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
  const Class = CLASSES.get(type?.typeId);
  if (Class === undefined) {
    throw new DataError({
      source,
      column,
      problem: 'has a type that the apache-arrow of plumecast does not know',
      received: String(type),
      allowed: 'a type that it knows, or a newer apache-arrow beside plumecast: npm install apache-arrow@latest',
    });
  }
  const own = Object.assign(Object.create(Class.prototype), type);
  if (type.children) own.children = type.children.map((field) => ownField(field, column, source));
  return own;
}

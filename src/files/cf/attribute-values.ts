import { type Attributes, type AttributeValue, UnreadAttribute } from '../array/array-file.js';

/**
 * The text of an attribute, without blanks at its ends; undefined where it is absent or not a single text. Throws
 * DataError where its value was not read.
 */
export function textAttribute(attributes: Attributes, name: string): string | undefined {
  const value = readValue(attributes, name, 'a text');
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' ? single.trim() : undefined;
}

/**
 * The numbers of an attribute, also those written as texts; empty where it is absent. Throws DataError where its value
 * was not read.
 */
export function numberAttributes(attributes: Attributes, name: string, allowed = 'numbers'): number[] {
  return listAttribute(attributes, name, allowed)
    .filter((item) => item !== '')
    .map(Number);
}

/** The numbers or texts of an attribute. Throws DataError, with what is allowed, where its value was not read. */
export function listAttribute(attributes: Attributes, name: string, allowed: string): readonly (string | number)[] {
  const value = readValue(attributes, name, allowed);
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [value];
}

/** The names that an attribute such as `coordinates` lists, separated by blanks. */
export function listedNames(attributes: Attributes, name: string): string[] {
  return textAttribute(attributes, name)?.split(/\s+/).filter(Boolean) ?? [];
}

function readValue(attributes: Attributes, name: string, allowed: string): AttributeValue | undefined {
  const value = attributes.get(name);
  if (value instanceof UnreadAttribute) throw value.fault(name, allowed);
  return value;
}

import type { Attributes } from '../array/array-file.js';

/** The text of an attribute, without blanks at its ends; undefined where it is absent or not a single text. */
export function textAttribute(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' ? single.trim() : undefined;
}

/** The numbers of an attribute, also those written as texts; empty where it is absent. */
export function numberAttributes(attributes: Attributes, name: string): number[] {
  const value = attributes.get(name);
  if (value === undefined) return [];
  const list: readonly (string | number)[] = typeof value === 'object' ? value : [value];
  return list.filter((item) => item !== '').map(Number);
}

/** The names that an attribute such as `coordinates` lists, separated by blanks. */
export function listedNames(attributes: Attributes, name: string): string[] {
  return textAttribute(attributes, name)?.split(/\s+/).filter(Boolean) ?? [];
}

import { expect } from 'vitest';

/*
 * Finds long arrays of the same numbers or texts equal at once. Vitest compares typed arrays three times, and makes a text of each
 * index: a microsecond or more for each value, a sixth of the time of tests of kernels. What is not the same here, it compares itself.
 */

/** Shorter ones take no time either way. */
const MIN_LENGTH = 16;

function areSame(a: unknown, b: unknown): true | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined;
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && haveSameBytes(a, b) ? true : undefined;
  return Array.isArray(a) && Array.isArray(b) && haveSamePrimitives(a, b) ? true : undefined;
}

/** Values of the same bytes are the same; other NaNs have other bytes. */
function haveSameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength || a.constructor !== b.constructor) return false;
  const [bytes, others] = [a, b].map((view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  return bytes.equals(others);
}

function haveSamePrimitives(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length < MIN_LENGTH || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if ((typeof a[i] === 'object' && a[i] !== null) || !Object.is(a[i], b[i])) return false;
  }
  return [a, b].every(hasOnlyElements);
}

/** Neither holes, nor properties such as those of the match of a regular expression. */
function hasOnlyElements(array: readonly unknown[]): boolean {
  return Object.keys(array).length === array.length && Object.getOwnPropertySymbols(array).length === 0;
}

/** Files of tests that share modules share what `expect` knows, too. */
const ADDED = Symbol.for('plumecast: fast equality');
const shared = globalThis as { [ADDED]?: true };
if (!shared[ADDED]) expect.addEqualityTesters([areSame]);
shared[ADDED] = true;

import { describe, expect, it } from 'vitest';
import { linkFunctions } from '../../scripts/link-functions.mjs';

const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
const section = (id: number, bytes: number[]) => [id, bytes.length, ...bytes];
/** The type `() => i32`, its number, and a function that returns the sum of the functions 0 and 1 and 100. */
const TYPE = [0x60, 0, 1, 0x7f];
const SUM = [0, 0x10, 0, 0x10, 1, 0x6a, 0x41, 0xe4, 0, 0x6a, 0x0b];

/** A module that imports `two`, memory of one page or more, and `seven`, and exports the sum as `sum`, which is function 2. */
const MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, ...TYPE]),
  ...section(2, [
    ...[3, ...name('networks'), ...name('two'), 0, 0],
    ...[...name('env'), ...name('memory'), 2, 1, 1, 0x80, 1],
    ...[...name('networks'), ...name('seven'), 0, 0],
  ]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name('sum'), 0, 2]),
  ...section(10, [1, SUM.length, ...SUM]),
);

describe('linkFunctions', () => {
  it('gives imported functions their bodies, by name, and changes no other function or import', async () => {
    const constant = (value: number) => [0, 0x41, value, 0x0b];
    const bodies = new Map([
      ['unused', constant(1)],
      ['seven', constant(7)],
      ['two', constant(2)],
    ]);
    const linked = await WebAssembly.compile(linkFunctions(MODULE, bodies));
    expect(WebAssembly.Module.imports(linked)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 128 });
    const { exports } = await WebAssembly.instantiate(linked, { env: { memory } });
    expect((exports.sum as () => number)()).toBe(109);
  });

  it('rejects an imported function without a body', () => {
    expect(() => linkFunctions(MODULE, new Map([['two', [0, 0x0b]]]))).toThrow(/No body .* seven/);
  });
});

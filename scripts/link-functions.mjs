/** Gives a module of WebAssembly the functions that it imports. */
import { leb128 } from '../assembly/core/network-code.mjs';

const [IMPORTS, FUNCTIONS, CODE] = [2, 3, 10];

/**
 * The module with bodies for all functions that it imports, by their names. Imported functions are numbered before a
 * module's own ones: these are put before them, too, so that no number changes. Throws where there is no body.
 */
export function linkFunctions(module, bodies) {
  const sections = sectionsOf(module);
  const imports = importsOf(sections.find(({ id }) => id === IMPORTS).bytes);
  const linked = imports.filter(({ type }) => type !== undefined);
  const code = linked.map(({ name }) => {
    const body = bodies.get(name);
    if (body === undefined) throw new Error(`No body for the imported function ${name}`);
    return [...leb128(body.length), ...body];
  });
  const others = imports.filter(({ type }) => type === undefined).map(({ bytes }) => bytes);
  const replaced = {
    [IMPORTS]: () => [...leb128(others.length), ...others.flat()],
    [FUNCTIONS]: (bytes) =>
      prepend(
        bytes,
        linked.map(({ type }) => leb128(type)),
      ),
    [CODE]: (bytes) => prepend(bytes, code),
  };
  const parts = sections.map(({ id, bytes }) => {
    const made = Buffer.from(replaced[id]?.(bytes) ?? bytes);
    return Buffer.concat([Buffer.from([id, ...leb128(made.length)]), made]);
  });
  return Buffer.concat([module.subarray(0, 8), ...parts]);
}

/** A vector of a section with more elements before its own. */
function prepend(bytes, elements) {
  const [count, start] = numberAt(bytes, 0);
  return [...leb128(count + elements.length), ...elements.flat(), ...bytes.subarray(start)];
}

function sectionsOf(module) {
  const sections = [];
  for (let at = 8; at < module.length; ) {
    const [length, start] = numberAt(module, at + 1);
    sections.push({ id: module[at], bytes: module.subarray(start, start + length) });
    at = start + length;
  }
  return sections;
}

/** What is imported: functions with the number of their type, and memory as it is written. */
function importsOf(bytes) {
  let [count, at] = numberAt(bytes, 0);
  return Array.from({ length: count }, () => {
    const begin = at;
    const [moduleLength, module] = numberAt(bytes, at);
    const [nameLength, name] = numberAt(bytes, module + moduleLength);
    const kind = name + nameLength;
    if (bytes[kind] === 0) {
      const [type, end] = numberAt(bytes, kind + 1);
      at = end;
      return { name: new TextDecoder().decode(bytes.subarray(name, kind)), type };
    }
    if (bytes[kind] !== 2) throw new Error('The module imports more than functions and memory');
    const [flags, least] = numberAt(bytes, kind + 1);
    at = numberAt(bytes, least)[1];
    if (flags & 1) at = numberAt(bytes, at)[1];
    return { bytes: [...bytes.subarray(begin, at)] };
  });
}

/** A number of the module and where it ends. */
function numberAt(bytes, at) {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    number += (byte & 127) * 2 ** shift;
    if (byte < 128) return [number, at];
  }
}

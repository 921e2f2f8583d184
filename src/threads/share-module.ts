const IMPORTS = 2;
const MEMORY = 2;
const HAS_MAXIMUM = 1;
const IS_SHARED = 2;

/**
 * The bytes of a module whose one import is a memory with a maximum, changed to import a shared memory; undefined for
 * other bytes. They differ in one bit: see "Import Section" and "Limits" in the WebAssembly specification.
 */
export function shareModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const at = findMemoryLimits(bytes);
  if (at === undefined || bytes[at] !== HAS_MAXIMUM) return undefined;
  const shared = Uint8Array.from(bytes);
  shared[at] |= IS_SHARED;
  return shared;
}

/** Finds the place of the imported memory's limits, which begin with a byte of flags. */
function findMemoryLimits(bytes: Uint8Array): number | undefined {
  // After eight bytes of magic and version.
  let at = 8;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (!(byte & 128)) return value;
    }
  };
  const skip = (length: number) => {
    at += length;
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const length = readNumber();
    if (section !== IMPORTS) {
      skip(length);
      continue;
    }
    if (readNumber() !== 1) return undefined;
    // The names of the module and of the import.
    skip(readNumber());
    skip(readNumber());
    return bytes[at] === MEMORY ? at + 1 : undefined;
  }
  return undefined;
}

export function linkFunctions(
  module: Uint8Array,
  bodies: ReadonlyMap<string, readonly number[]>,
): Uint8Array<ArrayBuffer>;

// The body of a network as bytes of WebAssembly, written so that it compresses well: each value has a local while it is
// held, and a comparator puts both values back into the locals that they come from. The compiler knows no such code: it
// gives each new value another local, and networks are half of the module. Engines make the same of both.
//
//   locals    0 row, 1 rowBytes, 2 column, and then v128
//   pmin      local.get low, local.get high, pmin, local.get high, local.get low, pmax, local.set high, local.set low

const PARAMETERS = 3;
const [V128, END] = [0x7b, 0x0b];
const [ROW, ROW_BYTES, COLUMN] = [0, 1, 2].map((local) => [0x20, local]);
const [LOAD, STORE] = [0, 11].map((operation) => [0xfd, operation, 0]);
/** The least and the greatest of two vectors, by the type of their lanes. */
const COMPARISONS = {
  f32x4: { least: [0xfd, 0xea, 1], greatest: [0xfd, 0xeb, 1] },
  f64x2: { least: [0xfd, 0xf6, 1], greatest: [0xfd, 0xf7, 1] },
};

/** A whole number in groups of seven bits, as modules have all numbers. */
export function leb128(number) {
  return number < 128 ? [number] : [(number & 127) | 128, ...leb128(number >>> 7)];
}

/** Which wires need their local no more after each operation: they are loaded again, or not used again. */
function releases(operations) {
  const last = new Map();
  const released = operations.map(() => []);
  const release = (wire) => last.has(wire) && released[last.get(wire)].push(wire);
  operations.forEach(({ kind, wire, low, high }, step) => {
    if (kind === 'read' || kind === 'load') release(wire);
    for (const used of kind === 'compare' ? [low, high] : [wire]) last.set(used, step);
  });
  for (const wire of last.keys()) release(wire);
  return released;
}

/** The code of one operation; `local` says which local a wire has. */
function codeOf({ kind, wire, low, high, keep }, local, { least, greatest }) {
  const get = (wire) => [0x20, local.get(wire)];
  const set = (wire) => [0x21, local.get(wire)];
  if (kind === 'read') return [...ROW, ...LOAD, 0, ...set(wire), ...ROW, ...ROW_BYTES, 0x6a, 0x21, 0];
  if (kind === 'load') return [...COLUMN, ...LOAD, ...leb128(16 * wire), ...set(wire)];
  if (kind === 'store') return [...COLUMN, ...get(wire), ...STORE, ...leb128(16 * wire)];
  return [
    ...(keep === 'high' ? [] : [...get(low), ...get(high), ...least]),
    ...(keep === 'low' ? [] : [...get(high), ...get(low), ...greatest, ...set(high)]),
    ...(keep === 'high' ? [] : set(low)),
  ];
}

/** The body of the function `(row, rowBytes, column)` that runs the operations of a schedule on vectors of `lanes`. */
export function networkCode(operations, lanes) {
  const released = releases(operations);
  const local = new Map();
  const free = [];
  let locals = 0;
  const code = operations.flatMap((operation, step) => {
    const { kind, wire } = operation;
    if (kind === 'read' || kind === 'load') {
      // The lowest one: the fewer names, the better they compress.
      free.sort((a, b) => b - a);
      local.set(wire, free.pop() ?? PARAMETERS + locals++);
    }
    const bytes = codeOf(operation, local, COMPARISONS[lanes]);
    for (const wire of released[step]) free.push(local.get(wire));
    return bytes;
  });
  return [1, ...leb128(locals), V128, ...code, END];
}

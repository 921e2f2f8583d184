// Writes assembly/generated/networks.ts: straight-line sorting networks for small numbers of members.
//
// Each network is Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, 5.2.2, algorithm M), cut into
// tiles: a tile loads a few wires into locals, runs every comparator that those wires allow, and stores them again. A tile of
// twelve wires fits the sixteen vector registers of x86-64, so the compiler has nothing to spill.
import { mkdirSync, writeFileSync } from 'node:fs';

/** Numbers of wires that get straight-line code; other numbers up to the largest are padded to the next one. */
const SIZES = [4, 8, 12, 16, 20, 25, 31, 40, 51, 64];
const TILE_WIRES = 12;

/** The comparators of merge exchange, in an order in which they may run. */
function mergeExchange(size) {
  const comparators = [];
  const top = 2 ** (Math.ceil(Math.log2(size)) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < size - d; i++) if ((i & p) === r) comparators.push([i, i + d]);
      if (q === p) break;
    }
  }
  return comparators;
}

/** Splits `comparators` into those that may run with only `wires` at hand, and the rest. */
function runnable(comparators, wires) {
  const blocked = new Set();
  const now = [];
  const later = [];
  for (const comparator of comparators) {
    const [i, j] = comparator;
    if (wires.has(i) && wires.has(j) && !blocked.has(i) && !blocked.has(j)) now.push(comparator);
    else {
      blocked.add(i).add(j);
      later.push(comparator);
    }
  }
  return { now, later };
}

/** The comparators of `rest` that are worth bringing into a tile: next in line, or nearly so on a wire that is there. */
function candidates(rest, wires) {
  const seen = new Map();
  return rest.filter(([i, j]) => {
    const depth = Math.max(seen.get(i) ?? 0, seen.get(j) ?? 0);
    seen.set(i, (seen.get(i) ?? 0) + 1).set(j, (seen.get(j) ?? 0) + 1);
    return depth < (wires.has(i) || wires.has(j) ? 2 : 1);
  });
}

/** Grows a set of wires from one comparator, each time by the comparator that lets the most others run per wire. */
function growTile(rest, seed) {
  let wires = new Set(seed);
  for (;;) {
    let best;
    for (const pair of candidates(runnable(rest, wires).later, wires)) {
      const more = new Set([...wires, ...pair]);
      if (more.size === wires.size || more.size > TILE_WIRES) continue;
      const gain = runnable(rest, more).now.length / more.size;
      if (best === undefined || gain > best.gain) best = { gain, more };
    }
    if (best === undefined) return wires;
    wires = best.more;
  }
}

/** Cuts a network into tiles, the tile with the most comparators per wire first. */
function tiles(comparators) {
  const result = [];
  for (let rest = comparators; rest.length > 0; ) {
    let best;
    for (const seed of candidates(rest, new Set())) {
      const { now, later } = runnable(rest, growTile(rest, seed));
      const density = now.length / new Set(now.flat()).size;
      if (best === undefined || density > best.density) best = { density, now, later };
    }
    result.push(best.now);
    rest = best.later;
  }
  return result;
}

function emitTile(tile, lanes, index) {
  const wires = [...new Set(tile.flat())].sort((a, b) => a - b);
  const name = (wire) => `t${index}w${wire}`;
  const lines = wires.map((wire) => `  let ${name(wire)} = v128.load(column, ${wire * 16});`);
  tile.forEach(([i, j], step) => {
    const low = `t${index}c${step}`;
    lines.push(`  const ${low} = ${lanes}.pmin(${name(i)}, ${name(j)});`);
    lines.push(`  ${name(j)} = ${lanes}.pmax(${name(j)}, ${name(i)}); ${name(i)} = ${low};`);
  });
  lines.push(...wires.map((wire) => `  v128.store(column, ${name(wire)}, ${wire * 16});`));
  return lines.join('\n');
}

function emitNetwork({ size, tiles }, lanes) {
  const body = tiles.map((tile, index) => emitTile(tile, lanes, index)).join('\n');
  return `function sort${size}_${lanes}(column: usize): void {\n${body}\n}\n`;
}

/** The dispatcher: pads with +Infinity to the next generated size and runs its network. */
function emitDispatch(lanes) {
  const cases = SIZES.map(
    (size) => `  if (members <= ${size}) {
    for (let i = members; i < ${size}; i++) v128.store(column + (<usize>i << 4), ${lanes}.splat(Infinity));
    sort${size}_${lanes}(column);
    return;
  }`,
  );
  return `/** Sorts the \`members\` vectors at \`column\` (${lanes}, each lane by itself); members <= LARGEST_NETWORK. */
export function sortNetwork_${lanes}(column: usize, members: i32): void {
${cases.join('\n')}
}
`;
}

const networks = SIZES.map((size) => ({ size, tiles: tiles(mergeExchange(size)) }));
const functions = ['f64x2', 'f32x4'].flatMap((lanes) => [
  ...networks.map((network) => emitNetwork(network, lanes)),
  emitDispatch(lanes),
]);
const text = `// Made by assembly/generate-networks.mjs. Do not edit.

/** Columns of more members than this are sorted by loops. */
export const LARGEST_NETWORK: i32 = ${SIZES.at(-1)};

${functions.join('\n')}`;

const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('networks.ts', folder), text);

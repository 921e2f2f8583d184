// Writes assembly/generated/networks.ts: straight-line sorting networks for small numbers of members.
//
// Each network is Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, 5.2.2, algorithm M), its comparators in
// an order that keeps the values they work on in the sixteen vector registers of x86-64: a value is loaded when a comparator needs it,
// and the one that is needed latest makes way. The order is searched for, with a fixed seed.
import { mkdirSync, writeFileSync } from 'node:fs';

/** Numbers of members that get straight-line code; other numbers up to the largest are padded to the next one. */
const SIZES = [4, 8, 11, 15, 21, 25, 31, 40, 51, 64];
/** Values held at a time. */
const WIRES = 12;
/** How often the search begins anew, for up to 31 members and for more. */
const TRIALS = { few: 200, many: 40 };

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

function xorshift(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** How many comparators each one has to wait for. */
function levels(size, comparators) {
  const depth = new Array(size).fill(0);
  return comparators.map(([i, j]) => {
    const level = Math.max(depth[i], depth[j]);
    depth[i] = depth[j] = level + 1;
    return level;
  });
}

/** One way to run a network with few wires at hand: what is loaded, compared and stored, in order. */
class Schedule {
  operations = [];
  /** Loads and stores beyond the first load of each wire. */
  cost = 0;
  #comparators;
  #levels;
  #random;
  /** The comparators of each wire, and how many of them have run. */
  #onWire;
  #done;
  #held = new Set();
  #changed = new Set();
  #unloaded;

  constructor(size, comparators, seed) {
    this.#comparators = comparators;
    this.#levels = levels(size, comparators);
    this.#random = xorshift(seed);
    this.#onWire = Array.from({ length: size }, () => []);
    comparators.forEach(([i, j], index) => {
      this.#onWire[i].push(index);
      this.#onWire[j].push(index);
    });
    this.#done = new Array(size).fill(0);
    this.#unloaded = new Set(this.#done.keys());
    for (let left = comparators.length; left > 0; ) {
      left -= this.#runHeld();
      if (left > 0) this.#bring(this.#mostUseful());
    }
  }

  #next(wire, done = this.#done[wire]) {
    return this.#onWire[wire][done];
  }

  /** Runs every comparator whose wires are held, and returns how many. */
  #runHeld() {
    let count = 0;
    for (let ran = true; ran; ) {
      ran = false;
      for (const wire of this.#held) {
        const index = this.#next(wire);
        if (index === undefined) continue;
        const [i, j] = this.#comparators[index];
        if (!this.#held.has(i) || !this.#held.has(j) || this.#next(i) !== index || this.#next(j) !== index) continue;
        this.operations.push({ kind: 'compare', low: i, high: j });
        for (const w of [i, j]) {
          this.#done[w]++;
          this.#changed.add(w);
          if (this.#next(w) === undefined) this.#letGo(w);
        }
        count++;
        ran = true;
      }
    }
    return count;
  }

  /** How many comparators could run if more wires were held. */
  #runnable(more) {
    const held = new Set([...this.#held, ...more]);
    const done = [...this.#done];
    let count = 0;
    for (let ran = true; ran; ) {
      ran = false;
      for (const wire of held) {
        const index = this.#next(wire, done[wire]);
        if (index === undefined) continue;
        const [i, j] = this.#comparators[index];
        if (!held.has(i) || !held.has(j) || this.#next(i, done[i]) !== index || this.#next(j, done[j]) !== index) continue;
        done[i]++;
        done[j]++;
        count++;
        ran = true;
      }
    }
    return count;
  }

  /** The wires to bring in: those of the comparator next in line that lets the most others run. */
  #mostUseful() {
    let best;
    for (const [low] of this.#onWire.entries()) {
      const index = this.#next(low);
      if (index === undefined || this.#comparators[index][0] !== low) continue;
      const pair = this.#comparators[index];
      if (this.#next(pair[1]) !== index) continue;
      const missing = pair.filter((wire) => !this.#held.has(wire));
      const again = missing.filter((wire) => !this.#unloaded.has(wire)).length;
      const score =
        this.#runnable(missing) / missing.length - 0.35 * this.#levels[index] - 0.3 * again + 1.2 * this.#random();
      if (best === undefined || score > best.score) best = { score, missing, pair };
    }
    return best;
  }

  #bring({ missing, pair }) {
    for (const wire of missing) {
      while (this.#held.size >= WIRES) this.#letGo(this.#latest(pair));
      const isFirst = this.#unloaded.delete(wire);
      if (!isFirst) this.cost++;
      this.operations.push({ kind: isFirst ? 'read' : 'load', wire });
      this.#held.add(wire);
    }
  }

  /** The held wire that is likely to be needed latest. */
  #latest(pair) {
    let latest;
    for (const wire of this.#held) {
      if (pair.includes(wire)) continue;
      const score = this.#levels[this.#next(wire)] + (this.#changed.has(wire) ? 0 : 1.5) + 3 * this.#random();
      if (latest === undefined || score > latest.score) latest = { score, wire };
    }
    return latest.wire;
  }

  #letGo(wire) {
    this.#held.delete(wire);
    if (!this.#changed.delete(wire)) return;
    // Right behind the comparator that it comes from: nothing has used it since, and the compiler need not hold it.
    const from = this.operations.findLastIndex(({ low, high }) => low === wire || high === wire);
    this.operations.splice(from + 1, 0, { kind: 'store', wire });
    this.cost++;
  }
}

function bestSchedule(size) {
  const comparators = mergeExchange(size);
  let best;
  for (let trial = 1; trial <= (size <= 31 ? TRIALS.few : TRIALS.many); trial++) {
    const schedule = new Schedule(size, comparators, 7919 * trial);
    if (best === undefined || schedule.cost < best.cost) best = schedule;
  }
  return best.operations;
}

/** The lines of one network; values are read in the order of rows, whichever wires they come to. */
function emitNetwork({ size, operations }, lanes) {
  const lines = [];
  const now = new Map();
  operations.forEach(({ kind, wire, low, high }, step) => {
    const [x, y] = [`x${step}`, `y${step}`];
    if (kind === 'compare') {
      const [a, b] = [now.get(low), now.get(high)];
      lines.push(`  const ${x} = ${lanes}.pmin(${a}, ${b}), ${y} = ${lanes}.pmax(${b}, ${a});`);
      now.set(low, x).set(high, y);
    } else if (kind === 'store') {
      lines.push(`  v128.store(column, ${now.get(wire)}, ${16 * wire});`);
    } else {
      lines.push(`  const ${x} = ${kind === 'load' ? `v128.load(column, ${16 * wire})` : 'v128.load(row); row += rowBytes'};`);
      now.set(wire, x);
    }
  });
  return `function sort${size}_${lanes}(row: usize, rowBytes: usize, column: usize): void {\n${lines.join('\n')}\n}\n`;
}

function emitDispatch(lanes) {
  const cases = SIZES.map((size) => `  if (size <= ${size}) { sort${size}_${lanes}(row, rowBytes, column); return; }`);
  return `/** Sorts \`size\` vectors (${lanes}, each lane by itself), one in each row, into \`column\`. */
export function sortNetwork_${lanes}(row: usize, rowBytes: usize, size: i32, column: usize): void {
${cases.join('\n')}
}
`;
}

const networks = SIZES.map((size) => ({ size, operations: bestSchedule(size) }));
const functions = ['f64x2', 'f32x4'].flatMap((lanes) => [
  ...networks.map((network) => emitNetwork(network, lanes)),
  emitDispatch(lanes),
]);
const sizes = SIZES.map((size) => `  if (members <= ${size}) return ${size};`);
const text = `// Made by assembly/generate-networks.mjs. Do not edit.

/** The most vectors that a network sorts. */
export const LARGEST_NETWORK: i32 = ${SIZES.at(-1)};

/** The size of the network for this many members; those that lack are padding. */
export function networkSize(members: i32): i32 {
${sizes.join('\n')}
  return members;
}

${functions.join('\n')}`;

const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('networks.ts', folder), text);

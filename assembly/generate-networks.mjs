// Writes assembly/generated/networks.ts: straight-line sorting networks for small numbers of members.
//
// Each network sorts sixteens with Green's 60 comparators and joins them with Batcher's odd-even merge, or is Batcher's merge exchange
// where that takes fewer (Knuth, The Art of Computer Programming, vol. 3, 5.3.4 and 5.2.2, algorithm M). Its comparators come in
// an order that keeps the values they work on in the sixteen vector registers of x86-64: a value is loaded when a comparator needs it,
// and the one that is needed latest makes way. The order is searched for, with a fixed seed.
//
// For the commonest numbers of members there are networks that bring only those order statistics to their places between which the
// usual quantiles lie: comparators that these do not need are left out, and of others one half.
import { mkdirSync, writeFileSync } from 'node:fs';

/** Numbers of members that get straight-line code; other numbers up to the largest are padded to the next one. */
const SIZES = [4, 8, 11, 15, 21, 25, 31, 36, 42, 51];
/** Numbers of members, and probabilities of quantiles of type 7, that get a network for their order statistics alone. */
const SELECTIONS = [{ size: 31, probabilities: [0.05, 0.25, 0.5, 0.75, 0.95] }];
/** Values held at a time. */
const WIRES = 12;
/** How often the search begins anew, for up to 31 members and for more. */
const TRIALS = { few: 200, many: 40 };

/** Green's network for 16: every i with i + 1, 2, 4 and 8 in turn, then these. */
const GREEN_REST =
  '5:10 6:9 3:12 13:14 4:8 7:11 1:2 1:4 7:13 2:8 11:14 2:4 5:6 9:10 11:13 3:8 7:12 6:8 10:12 3:5 7:9 3:4 5:6 7:8 9:10 11:12 6:7 8:9';

/** Green's network for sixteen wires or fewer from `first` on: those above hold values greater than all. */
function green(first, size) {
  const begin = [1, 2, 4, 8].flatMap((d) => range(16).flatMap((i) => (i & d ? [] : [[i, i + d]])));
  const rest = GREEN_REST.split(' ').map((pair) => pair.split(':').map(Number));
  return [...begin, ...rest].filter(([, j]) => j < size).map(([i, j]) => [first + i, first + j]);
}

/** The comparators of Batcher's odd-even merge of two sorted runs of wires; the first is as long as a power of two. */
function oddEvenMerge(ones, twos) {
  if (ones.length === 0 || twos.length === 0) return [];
  if (ones.length === 1 && twos.length === 1) return [[ones[0], twos[0]]];
  const every = (wires, rest) => wires.filter((_, i) => i % 2 === rest);
  const all = [...ones, ...twos];
  const last = range(all.length >> 1).flatMap((k) =>
    2 * k + 2 < all.length ? [[all[2 * k + 1], all[2 * k + 2]]] : [],
  );
  return [...oddEvenMerge(every(ones, 0), every(twos, 0)), ...oddEvenMerge(every(ones, 1), every(twos, 1)), ...last];
}

/** Sixteens, joined two by two. */
function joinedSixteens(first, size) {
  if (size <= 16) return green(first, size);
  const half = 2 ** (Math.ceil(Math.log2(size)) - 1);
  const wires = range(size).map((i) => first + i);
  return [
    ...joinedSixteens(first, half),
    ...joinedSixteens(first + half, size - half),
    ...oddEvenMerge(wires.slice(0, half), wires.slice(half)),
  ];
}

function range(length) {
  return Array.from({ length }, (_, i) => i);
}

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

function sortingNetwork(size) {
  const [one, two] = [joinedSixteens(0, size), mergeExchange(size)];
  return one.length < two.length ? one : two;
}

/** The ranks, counted from 0, between which quantiles of type 7 lie. */
function neededRanks(size, probabilities) {
  return new Set(
    probabilities.flatMap((p) => {
      const rank = Math.round((size - 1) * p * 1e9) / 1e9;
      return [Math.floor(rank), Math.ceil(rank)];
    }),
  );
}

/** The comparators that some of the ranks need; `halves` says which of a comparator's wires they need. */
function selectionNetwork(size, ranks) {
  const needed = new Set(ranks);
  const kept = [];
  for (const [low, high] of sortingNetwork(size).reverse()) {
    const halves = { low: needed.has(low), high: needed.has(high) };
    if (!halves.low && !halves.high) continue;
    needed.add(low).add(high);
    kept.unshift(Object.assign([low, high], { halves }));
  }
  return kept;
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
        const { halves = { low: true, high: true } } = this.#comparators[index];
        this.operations.push({ kind: 'compare', low: i, high: j, halves });
        for (const [w, needed] of [
          [i, halves.low],
          [j, halves.high],
        ]) {
          this.#done[w]++;
          if (needed) this.#changed.add(w);
          else this.#changed.delete(w);
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
        if (!held.has(i) || !held.has(j) || this.#next(i, done[i]) !== index || this.#next(j, done[j]) !== index)
          continue;
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

function bestSchedule(size, comparators) {
  let best;
  for (let trial = 1; trial <= (size <= 31 ? TRIALS.few : TRIALS.many); trial++) {
    const schedule = new Schedule(size, comparators, 7919 * trial);
    if (best === undefined || schedule.cost < best.cost) best = schedule;
  }
  return best.operations;
}

/** The lines of one network; values are read in the order of rows, whichever wires they come to. */
function emitNetwork({ name, operations }, lanes) {
  const lines = [];
  const now = new Map();
  operations.forEach(({ kind, wire, low, high, halves }, step) => {
    const [x, y] = [`x${step}`, `y${step}`];
    if (kind === 'compare') {
      const [a, b] = [now.get(low), now.get(high)];
      if (halves.low) lines.push(`  const ${x} = ${lanes}.pmin(${a}, ${b});`);
      if (halves.high) lines.push(`  const ${y} = ${lanes}.pmax(${b}, ${a});`);
      now.set(low, x).set(high, y);
    } else if (kind === 'store') {
      lines.push(`  v128.store(column, ${now.get(wire)}, ${16 * wire});`);
    } else {
      lines.push(
        `  const ${x} = ${kind === 'load' ? `v128.load(column, ${16 * wire})` : 'v128.load(row); row += rowBytes'};`,
      );
      now.set(wire, x);
    }
  });
  return `function ${name}_${lanes}(row: usize, rowBytes: usize, column: usize): void {\n${lines.join('\n')}\n}\n`;
}

function emitDispatch(lanes) {
  const cases = SIZES.map((size) => `  if (size <= ${size}) { sort${size}_${lanes}(row, rowBytes, column); return; }`);
  return `/** Sorts \`size\` vectors (${lanes}, each lane by itself), one in each row, into \`column\`. */
export function sortNetwork_${lanes}(row: usize, rowBytes: usize, size: i32, column: usize): void {
${cases.join('\n')}
}
`;
}

/** The ranks of a selection, as bits. */
function rankMask(ranks) {
  return [...ranks].reduce((mask, rank) => mask | (1n << BigInt(rank)), 0n);
}

function emitSelectionDispatch(lanes) {
  const cases = selections.map(({ size, ranks, name }) => {
    return `  if (${isSelection(size, ranks)}) ${name}_${lanes}(row, rowBytes, column);`;
  });
  return `/** As \`sortNetwork_${lanes}\`, but only the ranks, bits of \`ranks\`, for which \`hasSelection\` come to their places. */
export function selectionNetwork_${lanes}(row: usize, rowBytes: usize, members: i32, ranks: u64, column: usize): void {
${cases.join('\n')}
}
`;
}

function isSelection(size, ranks) {
  return `members == ${size} && (ranks & ~0x${rankMask(ranks).toString(16)}) == 0`;
}

const networks = SIZES.map((size) => {
  return { size, name: `sort${size}`, operations: bestSchedule(size, sortingNetwork(size)) };
});
const selections = SELECTIONS.map(({ size, probabilities }) => {
  const ranks = neededRanks(size, probabilities);
  return { size, ranks, name: `select${size}`, operations: bestSchedule(size, selectionNetwork(size, ranks)) };
});
const functions = ['f64x2', 'f32x4'].flatMap((lanes) => [
  ...[...networks, ...selections].map((network) => emitNetwork(network, lanes)),
  emitDispatch(lanes),
  emitSelectionDispatch(lanes),
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

/** Whether there is a network for no more than these ranks, bits of \`ranks\`. */
export function hasSelection(members: i32, ranks: u64): bool {
${selections.map(({ size, ranks }) => `  if (${isSelection(size, ranks)}) return true;`).join('\n')}
  return false;
}

${functions.join('\n')}`;

const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('networks.ts', folder), text);

// The order in which a network's comparators run so that the values they work on stay in the sixteen vector registers
// of x86-64: a value is loaded when a comparator needs it, and the one that is needed latest makes way. The order is
// searched for, with a fixed seed.

/** Values held at a time. */
const WIRES = 12;
/** How often the search begins anew, for up to 31 wires and for more. */
const TRIALS = { few: 200, many: 40 };

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
  return comparators.map(({ low: i, high: j }) => {
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
    comparators.forEach(({ low, high }, index) => {
      this.#onWire[low].push(index);
      this.#onWire[high].push(index);
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

  /** The comparator that is next on the wire, where it may run with what is held. */
  #ready(wire, held, done) {
    const index = this.#next(wire, done[wire]);
    if (index === undefined) return undefined;
    const comparator = this.#comparators[index];
    const { low, high } = comparator;
    const isNext = this.#next(low, done[low]) === index && this.#next(high, done[high]) === index;
    return isNext && held.has(low) && held.has(high) ? comparator : undefined;
  }

  /** Runs every comparator whose wires are held, and returns how many. */
  #runHeld() {
    let count = 0;
    for (let ran = true; ran; ) {
      ran = false;
      for (const wire of this.#held) {
        const comparator = this.#ready(wire, this.#held, this.#done);
        if (comparator === undefined) continue;
        this.#run(comparator);
        count++;
        ran = true;
      }
    }
    return count;
  }

  #run({ low, high, keep }) {
    this.operations.push({ kind: 'compare', low, high, keep });
    for (const wire of [low, high]) {
      this.#done[wire]++;
      if (keep === 'both' || keep === (wire === low ? 'low' : 'high')) this.#changed.add(wire);
      else this.#changed.delete(wire);
      if (this.#next(wire) === undefined) this.#letGo(wire);
    }
  }

  /** How many comparators could run if more wires were held. */
  #runnable(more) {
    const held = new Set([...this.#held, ...more]);
    const done = [...this.#done];
    let count = 0;
    for (let ran = true; ran; ) {
      ran = false;
      for (const wire of held) {
        const comparator = this.#ready(wire, held, done);
        if (comparator === undefined) continue;
        done[comparator.low]++;
        done[comparator.high]++;
        count++;
        ran = true;
      }
    }
    return count;
  }

  /** The wires to bring in: those of the comparator next in line that lets the most others run. */
  #mostUseful() {
    let best;
    for (const wire of this.#onWire.keys()) {
      const index = this.#next(wire);
      if (index === undefined) continue;
      const { low, high } = this.#comparators[index];
      if (low !== wire || this.#next(high) !== index) continue;
      const pair = [low, high];
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

/** The operations of the cheapest of many schedules: `read` a wire's first value, `load`, `compare`, `store`. */
export function bestSchedule(size, comparators) {
  let best;
  for (let trial = 1; trial <= (size <= 31 ? TRIALS.few : TRIALS.many); trial++) {
    const schedule = new Schedule(size, comparators, 7919 * trial);
    if (best === undefined || schedule.cost < best.cost) best = schedule;
  }
  return best.operations;
}

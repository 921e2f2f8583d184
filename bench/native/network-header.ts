import { type Comparator, selectionNetwork } from '../../assembly/core/sorting-networks.mjs';
import { neededRanks, quantilePlaces } from '../workloads.js';

/** The vector registers, of sixteen, that hold wires; the others are for sums and for exchanging. */
const REGISTERS = 12;

/**
 * The text of `network.h`: a C function in straight-line code that reads one vector of each member, sums them up and
 * selects what the quantiles need. A comparator of which one result is needed is a single minimum or maximum.
 */
export function networkHeader(members: number): string {
  const places = quantilePlaces(members);
  const comparators = inRegisterOrder(selectionNetwork(members, neededRanks(places)), REGISTERS);
  const loaded = new Set<number>();
  const body = comparators.flatMap(({ low, high, keep }) => {
    const isNew = (wire: number) => !loaded.has(wire) && loaded.add(wire);
    return [...[low, high].filter(isNew).map(load), exchange(low, high, keep)];
  });
  const quantiles = places.map(({ low, high, weight }, k) => {
    const value = low === high ? `a${low}` : `a${low} + SPLAT(${weight.toFixed(9)}f) * (a${high} - a${low})`;
    return `STORE(out[${k + 1}] + at, ${value});`;
  });
  const lines = [
    // Four chains of additions: in one, each addition waits for the one before.
    'vec s0 = SPLAT(0), s1 = s0, s2 = s0, s3 = s0;',
    ...body,
    `STORE(out[0] + at, (s0 + s1 + (s2 + s3)) * SPLAT(1.0f / ${members}));`,
    ...quantiles,
  ];
  const inline = 'static inline __attribute__((always_inline))';
  const head = `${inline} void summarize(const float *in, size_t pitch, float *const *out, size_t at) {`;
  return `${head}\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`;
}

function load(wire: number): string {
  return `vec a${wire} = LOAD(in + ${wire} * pitch); s${wire % 4} += a${wire};`;
}

function exchange(low: number, high: number, keep: Comparator['keep']): string {
  const lesser = `MIN(a${low}, a${high})`;
  const greater = `MAX(a${low}, a${high})`;
  if (keep === 'low') return `a${low} = ${lesser};`;
  if (keep === 'high') return `a${high} = ${greater};`;
  return `{ const vec t = ${lesser}; a${high} = ${greater}; a${low} = t; }`;
}

/**
 * The comparators in an order that suits this number of registers: of those that may come next, always one whose wires
 * were used last. The network stays the same.
 */
export function inRegisterOrder(comparators: readonly Comparator[], registers: number): Comparator[] {
  const rest = [...comparators];
  const ordered: Comparator[] = [];
  let recent: number[] = [];
  while (rest.length > 0) {
    const blocked = new Set<number>();
    let next = { place: 0, loads: Number.POSITIVE_INFINITY };
    rest.forEach(({ low, high }, place) => {
      const loads = Number(!recent.includes(low)) + Number(!recent.includes(high));
      if (!blocked.has(low) && !blocked.has(high) && loads < next.loads) next = { place, loads };
      blocked.add(low).add(high);
    });
    const [comparator] = rest.splice(next.place, 1);
    const { low, high } = comparator;
    ordered.push(comparator);
    recent = [high, low, ...recent.filter((wire) => wire !== low && wire !== high)].slice(0, registers);
  }
  return ordered;
}

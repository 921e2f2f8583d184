import { type Comparator, selectionNetwork } from '../../assembly/sorting-networks.mjs';
import { neededRanks, type QuantilePlace, quantilePlaces } from '../quantile-places.js';

/** How a network is written out: the expressions of a comparator, and the way from a value's key to the value. */
export interface NetworkDialect {
  /** Statements that bring the lesser of `a` and `b` into `a` and the greater into `b`, or one of the two only. */
  readonly exchange: (a: string, b: string, keep: Comparator['keep']) => string;
  /** An expression for the key of an entry of `keys`, where it is not the entry itself. */
  readonly key?: (entry: string) => string;
  /** An expression for the value of key `a`. */
  readonly value: (a: string) => string;
}

/**
 * Selects and summarizes the windows of one cell. `keys` and `totals` hold `window * members + member`; results begin at `out`.
 * `bits` and `single` are views of one word, through which keys become numbers again.
 */
export type NetworkFunction = (
  keys: Float64Array | Int32Array,
  totals: Float64Array | Float32Array,
  windows: number,
  divisors: Float64Array,
  out: number,
  mean: Float32Array,
  q0: Float32Array,
  q1: Float32Array,
  q2: Float32Array,
  q3: Float32Array,
  q4: Float32Array,
  bits: Int32Array,
  single: Float32Array,
) => void;

const PARAMETERS = 'keys totals windows divisors out mean q0 q1 q2 q3 q4 bits single'.split(' ');

/** A function in straight-line code, one local variable for each member. */
export function compileNetwork(
  members: number,
  { exchange, key = (entry) => entry, value }: NetworkDialect,
): NetworkFunction {
  const places = quantilePlaces(members);
  const ranks = neededRanks(places);
  const wires = Array.from({ length: members }, (_, m) => m);
  const sum = (part: number) => wires.filter((m) => m % 4 === part).map((m) => `totals[o + ${m}]`);
  const quantile = ({ low, high, weight }: QuantilePlace) =>
    low === high ? `v${low} / d` : `(v${low} + ${weight} * (v${high} - v${low})) / d`;
  const body = [
    `for (let w = 0, o = 0; w < windows; w++, o += ${members}, out++) {`,
    ...wires.map((m) => `let a${m} = ${key(`keys[o + ${m}]`)};`),
    ...selectionNetwork(members, ranks).map(({ low, high, keep }) => exchange(`a${low}`, `a${high}`, keep)),
    'const d = divisors[w];',
    // Four chains of additions, for one would be waited for.
    ...[0, 1, 2, 3].map((part) => `const s${part} = ${sum(part).join(' + ')};`),
    `mean[out] = (s0 + s1 + (s2 + s3)) / (${members} * d);`,
    ...ranks.map((rank) => `const v${rank} = ${value(`a${rank}`)};`),
    ...places.map((place, k) => `q${k}[out] = ${quantile(place)};`),
    '}',
  ];
  return new Function(...PARAMETERS, body.join('\n')) as NetworkFunction;
}

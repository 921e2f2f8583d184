import { neededRanks, quantilePlaces } from '../quantile-places.js';
import { type Comparator, selectionNetwork } from '../sorting-network.js';

/** How a network is written out: the expressions of a comparator, and the way from a value's key to the value. */
export interface NetworkDialect {
  /** Statements that bring the lesser of `a` and `b` into `a` and the greater into `b`, or one of the two only. */
  readonly exchange: (a: string, b: string, keep: Comparator['keep']) => string;
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

/** A function in straight-line code, one local variable for each member. */
export function compileNetwork(members: number, { exchange, value }: NetworkDialect): NetworkFunction {
  const places = quantilePlaces(members);
  const ranks = neededRanks(places);
  const wires = Array.from({ length: members }, (_, m) => m);
  const body = [
    'for (let w = 0, o = 0; w < windows; w++, o += ' + members + ', out++) {',
    `let sum = totals[o];`,
    ...wires.slice(1).map((m) => `sum += totals[o + ${m}];`),
    ...wires.map((m) => `let a${m} = keys[o + ${m}];`),
    ...selectionNetwork(members, ranks).map(({ low, high, keep }) => exchange(`a${low}`, `a${high}`, keep)),
    'const d = divisors[w];',
    `mean[out] = sum / (${members} * d);`,
    ...ranks.map((rank) => `${value(`a${rank}`).replace('=>', `const v${rank} =`)};`),
    ...places.map(
      ({ low, high, weight }, k) =>
        `q${k}[out] = ${low === high ? `v${low} / d` : `(v${low} + ${weight} * (v${high} - v${low})) / d`};`,
    ),
    '}',
  ].join('\n');
  const parameters = ['keys', 'totals', 'windows', 'divisors', 'out', 'mean', 'q0', 'q1', 'q2', 'q3', 'q4', 'bits', 'single'];
  return new Function(...parameters, body) as NetworkFunction;
}

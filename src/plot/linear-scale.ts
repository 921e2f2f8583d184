import { nice, ticks } from 'd3-array';
import { tickFormat } from 'd3-scale';

/** A linear function from values to pixels. */
export interface LinearScale {
  (value: number): number;
  /** Where it begins and ends, in values. */
  readonly domain: readonly [number, number];
}

/** Creates the scale from two values to two pixels; a domain without a length is in the middle of the pixels. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): LinearScale {
  const [[low, high], [from, to]] = [domain, range];
  const scale = (value: number) => {
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return from * (1 - share) + to * share;
  };
  return Object.assign(scale, { domain });
}

/** A domain that ends at round values, as d3-scale extends it: about `count` ticks fit into it. */
export function niceDomain([low, high]: readonly [number, number], count: number): readonly [number, number] {
  return nice(low, high, count);
}

/** About `count` round values in a domain. */
export function ticksOf([low, high]: readonly [number, number], count: number): number[] {
  return ticks(low, high, count);
}

/** How ticks of a domain are written: with the digits that their distance needs, or in a given form of d3-format. */
export function tickLabel(
  [low, high]: readonly [number, number],
  count: number,
  form?: string,
): (tick: number) => string {
  return tickFormat(low, high, count, form);
}

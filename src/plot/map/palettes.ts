import {
  interpolateViridis,
  schemeBrBG,
  schemeBuPu,
  schemeGreys,
  schemePuBu,
  schemeRdBu,
  schemeYlGnBu,
  schemeYlOrBr,
  schemeYlOrRd,
} from 'd3-scale-chromatic';

/** A colour, as `#a0b1c2`, for a share from 0 to 1. */
export type Palette = (share: number) => string;

/** Palettes of ColorBrewer, and viridis, which colour-blind people see in order. */
export const PALETTES = {
  BrBG: (share) => between(schemeBrBG[11], share),
  BuPu: (share) => between(schemeBuPu[9], share),
  Greys: (share) => between(schemeGreys[9], share),
  PuBu: (share) => between(schemePuBu[9], share),
  RdBu: (share) => between(schemeRdBu[11], share),
  YlGnBu: (share) => between(schemeYlGnBu[9], share),
  YlOrBr: (share) => between(schemeYlOrBr[9], share),
  YlOrRd: (share) => between(schemeYlOrRd[9], share),
  viridis: interpolateViridis,
} satisfies Readonly<Record<string, Palette>>;

/**
 * The colour at a share of the way along a list of colours: on a uniform B-spline through them, as `interpolateRgbBasis`
 * of d3-interpolate finds it.
 */
function between(colours: readonly string[], share: number): string {
  const last = colours.length - 1;
  const at = Math.min(1, Math.max(0, share)) * last;
  const i = Math.min(last - 1, Math.floor(at));
  const t = at - i;
  const channel = (c: number) => {
    const of = (k: number) => Number.parseInt(colours[k].slice(1 + 2 * c, 3 + 2 * c), 16);
    const [one, two] = [of(i), of(i + 1)];
    const before = i > 0 ? of(i - 1) : 2 * one - two;
    const after = i < last - 1 ? of(i + 2) : 2 * two - one;
    const value =
      ((1 - t) ** 3 * before +
        (4 - 6 * t ** 2 + 3 * t ** 3) * one +
        (1 + 3 * t + 3 * t ** 2 - 3 * t ** 3) * two +
        t ** 3 * after) /
      6;
    return Math.min(255, Math.max(0, Math.round(value)))
      .toString(16)
      .padStart(2, '0');
  };
  return `#${[0, 1, 2].map(channel).join('')}`;
}

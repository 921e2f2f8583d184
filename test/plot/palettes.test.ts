import { rgb } from 'd3-color';
import {
  interpolateBrBG,
  interpolateBuPu,
  interpolateGreys,
  interpolatePuBu,
  interpolateRdBu,
  interpolateViridis,
  interpolateYlGnBu,
  interpolateYlOrBr,
  interpolateYlOrRd,
} from 'd3-scale-chromatic';
import { expect, it } from 'vitest';
import { PALETTES } from '../../src/plot/map/palettes.js';

it.each([
  ['BrBG', interpolateBrBG],
  ['BuPu', interpolateBuPu],
  ['Greys', interpolateGreys],
  ['PuBu', interpolatePuBu],
  ['RdBu', interpolateRdBu],
  ['YlGnBu', interpolateYlGnBu],
  ['YlOrBr', interpolateYlOrBr],
  ['YlOrRd', interpolateYlOrRd],
  ['viridis', interpolateViridis],
] as const)('%s has the colours of d3-scale-chromatic at every share', (name, interpolate) => {
  for (let share = -0.1; share <= 1.1; share += 1 / 512) {
    expect(PALETTES[name](share), `${share}`).toBe(rgb(interpolate(share)).formatHex());
  }
});

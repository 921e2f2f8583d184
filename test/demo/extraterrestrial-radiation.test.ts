import { describe, expect, it } from 'vitest';
import { extraterrestrialRadiation } from '../../src/demo/extraterrestrial-radiation.js';

describe('extraterrestrialRadiation', () => {
  it('is 32.2 MJ m-2 d-1 at 20 S on 3 September, as in example 8 of FAO-56', () => {
    expect(extraterrestrialRadiation(-20, 246)).toBeCloseTo(32.2, 1);
  });

  it('is 0 in the polar night', () => {
    expect(extraterrestrialRadiation(90, 355)).toBe(0);
    expect(extraterrestrialRadiation(-80, 172)).toBe(0);
  });

  it('is greatest on the pole in the polar day', () => {
    expect(extraterrestrialRadiation(90, 172)).toBeGreaterThan(extraterrestrialRadiation(60, 172));
  });
});

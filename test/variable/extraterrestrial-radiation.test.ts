import { describe, expect, it } from 'vitest';
import { extraterrestrialRadiation } from '../../src/variable/fao56.js';

describe('extraterrestrialRadiation', () => {
  it('is 0 in the polar night', () => {
    expect(extraterrestrialRadiation(90, 355)).toBe(0);
    expect(extraterrestrialRadiation(-80, 172)).toBe(0);
  });

  it('is greatest on the pole in the polar day', () => {
    expect(extraterrestrialRadiation(90, 172)).toBeGreaterThan(extraterrestrialRadiation(60, 172));
  });

  it('has 31 December of a leap year follow the 365th day', () => {
    const [before, last] = [365, 366].map((day) => extraterrestrialRadiation(50, day));
    expect(last).toBeGreaterThan(before);
    expect(last).toBeCloseTo(extraterrestrialRadiation(50, 1), 12);
  });
});

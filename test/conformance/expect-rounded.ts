import { expect } from 'vitest';

/** Float32 results differ from exact ones by less: only a value next to a half may be rounded the other way. */
const SLACK = 1e-4;

/** Expects numbers of a response to be exact ones rounded to some decimals; `null` where those are NaN. */
export function expectRounded(found: readonly (number | null)[], exact: readonly number[], decimals = 2): void {
  expect(found.length).toBe(exact.length);
  const unit = 10 ** -decimals;
  found.forEach((value, i) => {
    if (value === null || Number.isNaN(exact[i])) {
      expect([i, value]).toEqual([i, Number.isNaN(exact[i]) ? null : exact[i]]);
      return;
    }
    expect(Math.abs(value - exact[i]), `${value} for ${exact[i]}`).toBeLessThanOrEqual(unit / 2 + SLACK);
    expect(value).toBe(Number(value.toFixed(decimals)));
  });
}

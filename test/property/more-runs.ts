/**
 * Set up where PLUMECAST_FUZZ_RUNS is above 1: property tests run that many times as often, each time from a new seed.
 */
import { vi } from 'vitest';

vi.mock('fast-check', async (importOriginal) => {
  const actual = await importOriginal<typeof import('fast-check')>();
  const factor = Number(process.env.PLUMECAST_FUZZ_RUNS);
  const assert = (
    property: Parameters<typeof actual.assert>[0],
    parameters: Parameters<typeof actual.assert>[1] = {},
  ) => {
    const { seed: _, numRuns = 100, ...others } = parameters;
    return actual.assert(property, { ...others, numRuns: numRuns * factor });
  };
  return { ...actual, assert, default: { ...actual.default, assert } };
});

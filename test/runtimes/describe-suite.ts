import { beforeAll, describe, expect, it } from 'vitest';
import { type CheckResult, coreChecks } from './core-suite.js';

/**
 * One test for each check of the suite, with the results that `run` brings from the runtime. Where there is no runtime
 * the tests are skipped and a line says why; with PLUMECAST_REQUIRE_RUNTIMES they fail.
 */
export function describeSuite(runtime: string, absent: string | undefined, run: () => Promise<CheckResult[]>): void {
  const skip = absent !== undefined && !process.env.PLUMECAST_REQUIRE_RUNTIMES;
  if (skip) console.log(`skipped: ${runtime} suite (${absent})`);
  describe.skipIf(skip)(`the core and GRIB in ${runtime}`, () => {
    let results: Map<string, CheckResult>;
    beforeAll(async () => {
      if (absent !== undefined) throw new Error(absent);
      results = new Map((await run()).map((result) => [result.name, result]));
    }, 120_000);

    it.each(coreChecks.map(({ name }) => name))('%s', (name) => {
      expect(results.get(name)).toEqual({ name });
    });
  });
}

import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { loadSkill, verify } from '../../src/skill/index.js';

const core = await loadCore();
const skill = await loadSkill();
const forecasts = [demoTable('temp_mean', { days: 15 })];
const observed = demoTable('temp_mean', { days: 15, members: 1, seed: 2 });
const messageOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);

describe('verify', () => {
  it('names what was not awaited', async () => {
    const call = verify(core, loadSkill() as never, { forecasts, observed });
    expect(await messageOf(call)).toBe(
      'skill: cannot be used; received a Promise; allowed: what `await loadSkill()` gives',
    );
  });

  it.each<[string, unknown]>([
    ['a list', [observed]],
    ['nothing', undefined],
    ['a promise', Promise.resolve(observed)],
  ])('takes observations as one table, and not %s', async (_, wrong) => {
    const call = verify(core, skill, { forecasts, observed: wrong as never });
    expect(await messageOf(call)).toMatch(/^data\.observed: .*; allowed: an Arrow table of observations, not a list$/);
  });

  it('says how scores without a climatology are requested, where there are too few years for one', async () => {
    const call = verify(core, skill, { forecasts, observed }, { against: 'climatology' });
    expect(await messageOf(call)).toMatch(/; or against: 'none' and categories: 0$/);
    const verified = await verify(core, skill, { forecasts, observed }, { against: 'none', categories: 0 });
    expect(verified.about.against).toBe('none');
  });
});

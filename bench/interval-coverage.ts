/**
 * Prints the table of docs/skill.md of how often intervals of scores hold what they should, in worlds that are
 * autoregressive of first order.
 *
 *   node build/bench/interval-coverage.js [--worlds 400]
 */
import { parseArgs } from 'node:util';
import { loadSkill } from '../src/skill/index.js';
import { coverageOf } from '../test/skill/autoregressive-world.js';

const { values } = parseArgs({ options: { worlds: { type: 'string', default: '400' } } });
const COEFFICIENTS = [0, 0.5, 0.9];
const DAYS = 600;
const BLOCKS = [1, 10, 30, 60, 120];

const skill = await loadSkill();
const percent = (share: number) => `${Math.round(100 * share)}`;
console.log(`| days | coefficient | ${BLOCKS.map((length) => `blocks of ${length} d`).join(' | ')} |`);
console.log(`|---|---|${BLOCKS.map(() => '---|').join('')}`);
for (const coefficient of COEFFICIENTS) {
  const options = { worlds: Number(values.worlds), samples: 400, confidence: 0.9, seed: DAYS + 100 * coefficient };
  const found = coverageOf(skill, { coefficient, days: DAYS }, BLOCKS, options);
  const cells = found.map(({ crps, skill: skillShare }) => `${percent(crps)}, ${percent(skillShare)}`);
  console.log(`| ${DAYS} | ${coefficient} | ${cells.join(' | ')} |`);
}

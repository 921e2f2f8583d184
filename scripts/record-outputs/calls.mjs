/** Calls of the library that are recorded: results to the last bit, and errors by their classes. */
import { respondCalls, storeCalls } from './calls/answers.mjs';
import { climateCalls } from './calls/climates.mjs';
import { batchCalls, gridCalls } from './calls/grids.mjs';
import { periodCalls } from './calls/periods.mjs';
import { arrayCalls, poolCalls, statisticsCalls } from './calls/statistics.mjs';
import { streamCalls, tableCalls } from './calls/tables.mjs';
import { blendCalls, historyCalls } from './calls/timelines.mjs';
import { demoCalls, variableCalls } from './calls/variables.mjs';
import { outcomeOf } from './digest.mjs';
import { shapedTables } from './made-data.mjs';

const SUBJECTS = [
  periodCalls,
  variableCalls,
  demoCalls,
  statisticsCalls,
  arrayCalls,
  poolCalls,
  blendCalls,
  historyCalls,
  climateCalls,
  tableCalls,
  streamCalls,
  gridCalls,
  batchCalls,
  respondCalls,
  storeCalls,
];

/** All cases of the library: `{ name, run }`. */
export async function callCases({ api }) {
  const known = { api, core: await api.loadCore(), tables: shapedTables(api) };
  const calls = Object.assign({}, ...SUBJECTS.map((callsOf) => callsOf(known)));
  return Object.entries(calls).map(([name, call]) => ({ name: `call ${name}`, run: () => outcomeOf(call) }));
}

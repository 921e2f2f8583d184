import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertShape, namesOf } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { type DailySource, sourceOfEnsemble } from '../../ensemble/daily-source.js';
import { unusable } from '../../errors.js';
import { isTable, ownTable } from '../../table/arrow/own-table.js';
import { runsOfTable } from '../../table/daily/runs-of-table.js';
import { ensembleOf, isOpened, type Opened } from '../../table/rows/read-ensemble.js';
import { readPlaces } from '../../table/rows/read-places.js';
import { assertSkill, type Skill } from '../load-skill.js';
import type { StateAbout } from '../state.js';
import type { Verification } from '../verification.js';
import type { CheckedVerify } from './options.js';
import { checkVerify, VERIFY_OPTIONS, type VerifyOptions } from './options.js';
import { ScoredWindows } from './scored-windows.js';
import { planVerification, type VerifyInputs } from './verify-plan.js';
import { type CaseUses, verifyPlanned } from './verify-sources.js';

/** A verification, and what it is of. */
export interface VerifiedForecasts {
  readonly verification: Verification;
  /** The variable, its units, the windows and what forecasts were compared with; which windows of which runs are scored. */
  readonly about: StateAbout;
  /** For people: how places were matched, and what was left out. */
  readonly notes: readonly string[];
  /** For people: what may be wrong. */
  readonly warnings: readonly string[];
}

/** What is verified. */
export interface VerifyData {
  /**
   * The runs of a forecast, a table each, or several in one, whose starts are a column, such as `init_time`. `init_time` of a table's metadata says when its run starts;
   * else it is its first day.
   */
  readonly forecasts: readonly (Table | Opened)[];
  /** Observations or an analysis of all years that there are: one value for each place and day. */
  readonly observed: Table | Opened;
  /** The runs of another forecast, with which forecasts are compared. */
  readonly against?: readonly (Table | Opened)[];
}

/**
 * Verifies forecasts with observations: pairs both by window and place, and adds the cases of each run to a verification.
 * Scores follow from it by `verificationScores` and `verificationTable`.
 *
 * A case is a complete window of a run at a place, whose days observations have. Places are matched by ids, or by the nearest
 * place. The climatology of a window is the same period of the year in all other years of the observations.
 *
 * Throws OptionError for options, DataError for data that do not fit each other, and for too few years, and the reason of
 * `signal`; `onProgress` counts windows of runs at places.
 *
 * @example
 * ```js
 * import { loadCore } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 * import { loadSkill, verificationTable, verify } from 'plumecast/skill';
 *
 * const forecasts = [demoTable('temp_mean', { days: 15 })];
 * const observed = demoTable('temp_mean', { days: 15, members: 1, seed: 2 });
 * const options = { granularity: 'daily', against: 'none', categories: 0 };
 * const verified = await verify(await loadCore(), await loadSkill(), { forecasts, observed }, options);
 * const scores = verificationTable(verified);
 * const { lead, cases, value } = scores.toArray().find(({ score }) => score === 'crps');
 * console.log(lead, cases, value.toFixed(2));
 * ```
 *
 * ```text
 * 0 1 1.16
 * ```
 */
export async function verify(
  core: Core,
  skill: Skill,
  data: VerifyData,
  options: VerifyOptions & WorkOptions = {},
): Promise<VerifiedForecasts> {
  assertCore(core);
  assertSkill(skill);
  const { work, others } = beginWork(options, 'results');
  assertKnownKeys(others, [...namesOf(VERIFY_OPTIONS), ...WORK_KEYS]);
  const checked = checkVerify(others);
  assertShape('data', data, { forecasts: 'list', against: 'list?' });
  const { forecasts, observed, against } = data;
  if (!isTable(observed) && !isOpened(observed)) {
    throw unusable('data.observed', observed, 'an Arrow table of observations, not a list');
  }
  const open = (table: Table | Opened, source: string): DailySource =>
    sourceOfEnsemble(source, ensembleOf(table, { ...checked, source, places: readPlaces }));
  const many = (list: readonly (Table | Opened)[], name: string) =>
    list.flatMap((table, i) => {
      const source = list.length > 1 ? `${name} ${i + 1}` : name;
      return (isTable(table) ? runsOfTable(ownTable(table, source)) : [table]).map((run) => open(run, source));
    });
  return verifySources(
    core,
    skill,
    {
      forecasts: many(forecasts, 'forecast'),
      observed: open(observed, 'observations'),
      against: against && many(against, 'against'),
    },
    checked,
    { work },
  );
}

/** How the verification of sources is made. */
export interface SourcesOptions extends CaseUses {
  /** The windows that are scored already. */
  readonly scored?: ScoredWindows;
}

/** Like `verify`, for sources that are open. */
export async function verifySources(
  core: Core,
  skill: Skill,
  inputs: VerifyInputs,
  options: CheckedVerify,
  { scored = new ScoredWindows(), ...uses }: SourcesOptions = {},
): Promise<VerifiedForecasts> {
  const plan = planVerification(inputs, options, scored);
  const verification = await verifyPlanned(core, skill, plan, options, uses);
  const { notes, warnings, about } = plan;
  return { verification, about: { ...about, scored: scored.texts() }, notes, warnings };
}

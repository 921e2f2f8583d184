import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Report } from '../input/notice.js';
import { type InputOfVerification, type VerifyRequest, verifyInputs } from '../input/verify-inputs.js';
import { loadSkill } from '../skill/load-skill.js';
import { mergeVerified, type NamedVerification, stateText } from '../skill/pairing/merge-verified.js';
import type { VerifyOptions } from '../skill/pairing/options.js';
import { verificationTable } from '../skill/verification-table.js';
import { selectValueOptions, type VerifyingPlan } from './check-plan.js';
import { type CheckedVerification, checkPlannedVerification } from './planned-verification.js';

/** The part of an input that is verified. */
interface VerifiedPart {
  readonly variable: string | undefined;
  readonly granularity: string;
}

/** What `verifyInputs` is requested for a variable and windows of an input. */
function partVerification(
  { request, values }: VerifyingPlan,
  verify: CheckedVerification,
  { variable, granularity }: VerifiedPart,
): VerifyRequest {
  const { columns, startDate, endDate, window, minMemberShare, point, variables } = request;
  const ofPlan = { columns, startDate, endDate, window, minMemberShare, point, variables, variable, granularity };
  const given = Object.entries({ ...ofPlan, ...verify.options }).filter(([, value]) => value !== undefined);
  return {
    options: Object.fromEntries(given) as VerifyOptions,
    values: selectValueOptions(values, variable),
    observed: verify.ofObserved,
    ...(verify.match !== undefined && { match: verify.match }),
  };
}

/**
 * Verifies some parts of inputs, which are pooled: a table of them, or the text of their state. Throws as `verifyInputs`
 * does, and where they are not alike.
 */
export async function verifyParts(
  core: Core,
  plan: VerifyingPlan,
  parts: readonly (VerifiedPart & { readonly input: string; open(): Promise<InputOfVerification> })[],
  report: Report,
): Promise<{ readonly table: Table } | { readonly state: string }> {
  const skill = await loadSkill();
  const verify = checkPlannedVerification(plan.verify);
  const { observed, against, isState, table } = verify;
  const verified: NamedVerification[] = [];
  for (const part of parts) {
    const files = { forecasts: [await part.open()], observed, ...(against.length > 0 && { against }) };
    const found = await verifyInputs(core, skill, files, partVerification(plan, verify, part), report);
    verified.push({ ...found, source: part.input });
  }
  const merged = mergeVerified(verified);
  return isState ? { state: stateText(merged) } : { table: verificationTable(merged, table) };
}

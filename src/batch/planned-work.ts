import type { WantedOfArchive } from '../input/pinned-archive.js';
import type { BatchEvent } from './batch-event.js';
import type { BatchInput } from './batch-input.js';
import type { CheckedPlan } from './check-plan.js';
import { findInputs } from './find-inputs.js';
import type { findVariables } from './input-variables.js';
import { joinInputs } from './join-inputs.js';
import type { FailedOutput } from './manifest.js';
import { type BatchOutput, planOutputs } from './plan-outputs.js';

/** What a plan reads and makes. */
export interface PlannedWork {
  readonly inputs: readonly BatchInput[];
  readonly outputs: readonly BatchOutput[];
  /** Inputs that were not found, and outputs that two inputs would become, if the batch is to continue without them. */
  readonly failed: readonly FailedOutput[];
  /** Whether everything that the plan names as inputs was found. */
  readonly foundAll: boolean;
}

/**
 * Finds the inputs and outputs of a plan. Inputs that cannot be found are failures, as inputs of the same name are, and
 * end the batch unless it is to continue. Throws the first failure if no input is found at all.
 */
export async function findPlannedWork(
  plan: CheckedPlan,
  onEvent: (event: BatchEvent) => void = () => {},
): Promise<PlannedWork> {
  const faults: Error[] = [];
  const fault = (error: Error) => {
    if (plan.onError === 'stop') throw error;
    faults.push(error);
  };
  const files = await findInputs(plan.inputs, fault, {
    wanted: wantedOfPlan(plan),
    report: ({ kind, source, text }) => onEvent({ event: kind, input: source, message: text }),
  });
  const foundAll = faults.length === 0;
  const found = joinInputs(files, plan.join, fault);
  const inputs = areVariablesNeeded(plan) ? await withVariables(plan, found, fault) : found;
  if (inputs.length === 0) throw faults[0];
  const failed = faults.map(({ message }): FailedOutput => ({ error: message }));
  const outputs = planOutputs(plan, inputs, await readGranularities(plan), (error, output) => {
    if (plan.onError === 'stop') throw error;
    failed.push({ output, error: error.message });
  });
  for (const { error: message, ...output } of failed) onEvent({ event: 'failed', ...output, message });
  return { inputs, outputs, failed, foundAll };
}

/** What a plan reads of archives. */
function wantedOfPlan({ variables, joint, request, values }: CheckedPlan): WantedOfArchive {
  const { point, variables: definitions } = request;
  const named = joint ?? variables.filter((variable) => variable !== undefined);
  return {
    ...(named.length > 0 && { variables: named }),
    ...{ definitions, point, bbox: values.bbox, choosesRuns: values.init !== undefined },
  };
}

/** Whether names of outputs have the variable of each input, which the plan does not say. */
function areVariablesNeeded({ joint, name, variables }: CheckedPlan): boolean {
  return joint === undefined && name.includes('{variable}') && variables.includes(undefined);
}

/** Readers of files are loaded by the threads that read, and here by plans that need them. */
async function withVariables(...args: Parameters<typeof findVariables>): Promise<BatchInput[]> {
  return (await import('./input-variables.js')).findVariables(...args);
}

/** The granularities of a plan, or else of its climatologies. */
async function readGranularities({ granularities, climatologies, values }: CheckedPlan): Promise<readonly string[]> {
  if (climatologies.length === 0) return granularities ?? [];
  const { readClimatologies } = await import('./climatologies.js');
  const read = await readClimatologies(climatologies, values.calendar);
  return granularities ?? [...new Set(read.map(({ granularity }) => `${granularity}`))];
}

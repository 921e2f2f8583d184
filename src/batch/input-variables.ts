import type { Table } from 'apache-arrow';
import { type Core, loadCore } from '../core/load.js';
import { isPlumecastError, mentionOption, OptionError } from '../errors.js';
import { openInput, type TableInput } from '../input/input.js';
import { columnsOfTable } from '../input/input-request.js';
import { variablesOfArrays, variablesOfTable } from '../input/list-variables.js';
import type { BatchInput } from './batch-input.js';
import type { CheckedPlan } from './check-plan.js';
import type { OnFault } from './find-inputs.js';
import { batchInput } from './open-output-part.js';

/** Inputs with the variable that each holds. Inputs that cannot be read go to `fault`, as inputs of several variables do. */
export async function findVariables(
  plan: CheckedPlan,
  inputs: readonly BatchInput[],
  fault: OnFault,
): Promise<BatchInput[]> {
  const core = await loadCore();
  const found: BatchInput[] = [];
  for (const input of inputs) {
    try {
      found.push({ ...input, variable: await variableOf(core, plan, input) });
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      fault(error);
    }
  }
  return found;
}

async function variableOf(core: Core, plan: CheckedPlan, { path, files }: BatchInput): Promise<string> {
  const { values, request } = plan;
  const { units: _, ...others } = values;
  const given = await batchInput(plan, { input: path, ...(files && { files }) });
  const input = await openInput(given, others, () => {});
  try {
    const columns = columnsOfTable(request.columns, others);
    const slugs =
      input.kind === 'arrays'
        ? variablesOfArrays(input.arrays)
        : variablesOfTable(await firstTable(core, input), columns);
    if (slugs.length === 1 && values.array === undefined) return slugs[0];
    throw new OptionError({
      ...{ subject: 'name', problem: `{variable} is not known of ${path}` },
      received: slugs.length > 1 ? slugs.join(', ') : undefined,
      allowed: `a name without {variable}, or ${mentionOption('variables')}`,
    });
  } finally {
    await input.close();
  }
}

async function firstTable(core: Core, input: TableInput): Promise<Table> {
  if (input.form !== 'short') for await (const table of input.tables(core)) return table;
  return input.read();
}

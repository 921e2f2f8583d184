import { type BlendOptions, checkBlendOptions } from '../../blend/options.js';
import { commonVariable } from '../../blend/timeline-metadata.js';
import type { Core } from '../../core/load.js';
import { leadingPlaces } from '../../ensemble/align-ensembles.js';
import type { ColumnRoles } from '../../table/column-roles.js';
import { type NamedVariable, resolveVariable } from '../../variable/find-variable.js';
import type { DailyInput } from './daily-input.js';
import { HorizonSet } from './horizon-set.js';
import { columnsOfTable, type ValueOptions } from './input-statistics.js';
import { InputTimeline, type TimelineHooks } from './input-timeline.js';
import type { Report } from './notice.js';
import { closeInput, dailyInput, type OpenedInput, openInput, variablesIn } from './opened-input.js';
import type { InputFile } from './standard-input-file.js';

/** How inputs become one timeline. */
export interface BlendRequest {
  readonly options: Omit<BlendOptions, 'pairing' | 'sources' | 'variables'> & { readonly variable?: string };
  readonly values: ValueOptions;
  /** What members are paired by: other inputs, one for each horizon, or a variable of the same. Default: temp_mean where all have it. */
  readonly pairBy?: readonly InputFile[] | string;
}

/** What is done beside. */
export interface BlendHooks extends TimelineHooks {
  readonly report: Report;
  /** Told which input is being opened. */
  readonly opening: (source: string) => void;
}

/** The variable whose ranks join members where inputs have it beside the one that is blended. */
const PAIR_BY = 'temp_mean';

/**
 * Has `write` write the timeline of inputs of any format, from the shortest horizon to the longest. What was done to values is told. Throws as
 * `blend` does, and as opening and reading inputs does.
 */
export async function blendInputs(
  core: Core,
  files: readonly InputFile[],
  { options, values, pairBy }: BlendRequest,
  { report, opening, ...hooks }: BlendHooks,
  write: (timeline: InputTimeline) => Promise<void>,
): Promise<void> {
  const checked = checkBlendOptions(options, files.length);
  const { variable, variableName } = checked;
  const columns = columnsOfTable(checked.columns, values);
  const opened: OpenedInput[] = [];
  const open = async (file: InputFile) => {
    opening(file.source);
    const input = await openInput(file, values, report);
    opened.push(input);
    return input;
  };
  try {
    const inputs = await inOrder(files, open);
    const own = await inOrder(inputs, (input) =>
      dailyInput(core, input, { variable, variableName, columns, values }, report),
    );
    const by = await pairedBy(inputs, own, pairBy, columns, open);
    const paired =
      by &&
      (await inOrder(by.inputs, (input) => {
        const { variable: other, variableName: called } = by;
        const request = { variable: other, variableName: called, columns, values: valuesOfFiles(values) };
        return dailyInput(core, input, request, (notice) =>
          report({ ...notice, text: `${by.variable?.slug ?? 'values'} that members are paired by: ${notice.text}` }),
        );
      }));
    const places = leadingPlaces([...(paired ?? []), ...own]);
    const timeline = {
      own: new HorizonSet(own, checked, places),
      ...(paired && { paired: new HorizonSet(paired, checked, places) }),
      places,
    };
    await write(new InputTimeline(core, timeline, checked, hooks));
  } finally {
    for (const input of opened) await closeInput(input);
  }
}

/** What members are paired by, where that is not the variable that is blended. */
async function pairedBy(
  inputs: readonly OpenedInput[],
  own: readonly DailyInput[],
  pairBy: BlendRequest['pairBy'],
  columns: ColumnRoles | undefined,
  open: (file: InputFile) => Promise<OpenedInput>,
): Promise<(Partial<NamedVariable> & { readonly inputs: readonly OpenedInput[] }) | undefined> {
  if (typeof pairBy === 'object') return { inputs: await inOrder(pairBy, open) };
  const isEverywhere = inputs.every((input) => variablesIn(input, columns).includes(PAIR_BY));
  const slug = pairBy ?? (isEverywhere ? PAIR_BY : undefined);
  const named = slug === undefined ? undefined : resolveVariable(slug);
  if (named === undefined || named.variable.slug === commonVariable(own).variable?.slug) return undefined;
  return { inputs, ...named };
}

/** What holds for another variable of the same files, too. */
function valuesOfFiles({
  units: _units,
  array: _array,
  accumulation: _accumulation,
  ...others
}: ValueOptions): ValueOptions {
  return others;
}

/** The results of one after the other. */
async function inOrder<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

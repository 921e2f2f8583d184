import type { Climatology } from '../climate/climatology.js';
import type { Core } from '../core/load.js';
import type { GridStatistics } from '../input/grid-statistics.js';
import { openInput } from '../input/input.js';
import type { InputFile } from '../input/input-file.js';
import type { InputRequest } from '../input/input-request.js';
import { joinFiles } from '../input/join-files.js';
import type { Report } from '../input/notice.js';
import { OptionUse } from '../input/option-use.js';
import { arraysFor, openStatistics, type TableStatistics } from '../input/statistics-of-input.js';
import { type CheckedPlan, selectThresholds, selectValueOptions } from './check-plan.js';
import { selectClimatology } from './climatologies.js';
import { BY_FOLDER } from './join-option.js';
import { openFilesAsOne } from './open-given-file.js';
import { isArrayFormat } from './output-format.js';
import { PartShares } from './part-shares.js';
import type { OutputPart } from './plan-outputs.js';

/** The statistics of one part of an output, whose input is open; or shares, which open it by themselves. */
export interface OpenPart {
  readonly statistics: TableStatistics | PartShares | GridStatistics;
  close(): Promise<void>;
}

/** What a part is opened with. */
export interface PartTools {
  readonly climatologies: readonly Climatology[];
  readonly report: Report;
  /** The most bytes of values that may be in memory. */
  readonly bytes: number;
}

/** Opens the input of a part. Reports conversions and warnings. Throws what reading throws. */
export async function openPart(core: Core, plan: CheckedPlan, part: OutputPart, tools: PartTools): Promise<OpenPart> {
  const { climatologies, report } = tools;
  if (plan.joint !== undefined) {
    const open = () => inputsOfShares(plan, part, report);
    const statistics = new PartShares(core, plan, { ...tools, granularity: part.granularity, open });
    return { statistics, close: async () => {} };
  }
  const request = partRequest(plan, part, climatologies);
  const input = await openInput(await batchInput(plan, part), request.values, report, {
    selection: () => arraysFor(request),
    use: request.use,
  });
  try {
    return { statistics: await openStatistics(core, input, request), close: () => input.close() };
  } catch (error) {
    await input.close();
    throw error;
  }
}

/** What `openInput` opens for an input of a batch. Throws as `openFilesAsOne` does. */
export function batchInput(
  { join }: CheckedPlan,
  { input, files }: Pick<OutputPart, 'input' | 'files'>,
): Promise<InputFile> | string {
  return files === undefined ? input : openFilesAsOne(files, input, join === BY_FOLDER ? undefined : join);
}

/** The inputs of shares: files that are joined may have other variables each. */
async function inputsOfShares(
  { join }: CheckedPlan,
  { input, files = [input] }: OutputPart,
  report: Report,
): Promise<readonly (string | InputFile)[]> {
  return files.length === 1 ? files : joinFiles(files, join === BY_FOLDER ? undefined : join, report);
}

/** What to compute for a part of an output. Throws OptionError if there is no climatology for it. */
export function partRequest(
  plan: CheckedPlan,
  { input, variable, granularity }: OutputPart,
  climatologies: readonly Climatology[],
): InputRequest {
  const { request, thresholds, format, bands } = plan;
  const climatology =
    climatologies.length === 0 ? undefined : selectClimatology(climatologies, granularity, variable, input);
  const requested = { ...request, variable, granularity, thresholds: selectThresholds(thresholds, variable) };
  const keepsGrid = isArrayFormat(format);
  const statistics = requested as InputRequest['statistics'];
  const values = selectValueOptions(plan.values, variable);
  const use = new OptionUse(values, { isOne: true });
  // An option may be about variables of other outputs: plans are checked for those whose variables they name.
  const read: OptionUse['read'] = (_, ...where) => use.read(undefined, ...where);
  const opened: OptionUse['opened'] = (...what) => use.opened(...what);
  return { statistics, climatology, bands, values, keepsGrid, use: { opened, read } };
}

import { assertKnownKeys, checkValues, isPlainObject, namesOf, type OptionSchema } from '../check/option-checks.js';
import { AGAINST_OPTIONS, type StatisticsAgainstOptions } from '../climate/against-options.js';
import { namedVariables, neededQuantiles } from '../condition/condition.js';
import { assertKnownVariables } from '../condition/known-variables.js';
import { readConditions } from '../condition/sort-conditions.js';
import { isPlumecastError, OptionError } from '../errors.js';
import { chooseCompression } from '../files/encode-tables.js';
import { assertOnePlace, VALUE_OPTIONS, type ValueOptions } from '../input/input-request.js';
import { OptionUse } from '../input/option-use.js';
import { readThresholdTexts, readWindowTexts } from '../input/window-texts.js';
import { dayText } from '../period/calendar.js';
import { GRANULARITIES } from '../period/period.js';
import { type NamedWindow, windowsOf } from '../period/windows.js';
import { assertBandLevel } from '../statistics/bands/band-reference.js';
import { checkRequest, type Threshold } from '../statistics/options.js';
import { defineVariable } from '../variable/define-variable.js';
import { resolveVariable, variableByName } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import {
  type BatchPlan,
  type BatchRequest,
  type GivenValues,
  type LimitList,
  type PlannedValues,
  type Thresholds,
  UNSHARED,
} from './batch-plan.js';
import { parseBytes } from './byte-count.js';
import { assertDivisible, assertFolder, assertSingleFiles } from './check-out.js';
import { checkJoin } from './join-option.js';
import {
  netcdfDeflate,
  OUTPUT_COMPRESSIONS,
  OUTPUT_FORMATS,
  type OutputCompression,
  type OutputFormat,
  tableCompression,
  zarrCompression,
} from './output-format.js';
import { checkTemplate } from './output-name.js';
import { jointVariables, slugOf } from './planned-shares.js';
import { assertVerifiable, checkPlannedVerification, type PlannedVerification } from './planned-verification.js';

/** A checked plan, with its defaults filled in. */
export interface CheckedPlan {
  readonly inputs: readonly string[];
  readonly join?: string | undefined;
  readonly out: string;
  /** Slugs; a single undefined stands for the only variable of each file. */
  readonly variables: readonly (string | undefined)[];
  /** Undefined to use those of the climatologies. */
  readonly granularities: readonly string[] | undefined;
  readonly thresholds: Thresholds;
  /** The variables that conditions name together, whose shares are computed in place of statistics. */
  readonly joint?: readonly string[] | undefined;
  readonly bands?: number | undefined;
  readonly climatologies: readonly string[];
  /** Inputs are verified in place of their statistics. */
  readonly verify?: PlannedVerification | undefined;
  /** Also the plan's own definitions of variables. */
  readonly request: BatchRequest & Pick<StatisticsAgainstOptions, 'variables'>;
  readonly values: PlannedValues;
  readonly format: OutputFormat;
  readonly compression: OutputCompression | undefined;
  readonly name: string;
  readonly workers: number | undefined;
  readonly memory: number;
  readonly onError: 'stop' | 'continue';
}

/** A plan that verifies its inputs. */
export type VerifyingPlan = CheckedPlan & { readonly verify: PlannedVerification };

/** Whether a plan verifies its inputs. */
export function isVerifying(plan: CheckedPlan): plan is VerifyingPlan {
  return plan.verify !== undefined;
}

/** The options of a plan besides those of `statistics` with a climatology and of values. */
export const PLAN_OPTIONS = {
  // There is no default: neither may be empty.
  inputs: { check: assertInputs, default: [] },
  join: { check: checkJoin },
  out: { check: assertFolder, default: '' },
  variables: { check: assertNames },
  granularities: { check: uniqueGranularities },
  thresholds: { type: 'together', default: [] },
  bands: { check: (level: number) => assertBandLevel(level) },
  climatologies: { check: assertClimatologies, default: [] },
  verify: { check: (given: PlannedVerification) => void checkPlannedVerification(given) },
  format: { choices: OUTPUT_FORMATS, default: 'arrow' },
  compression: { choices: OUTPUT_COMPRESSIONS },
  name: { check: checkTemplate },
  workers: { check: assertWorkers },
  memory: { check: (memory: string | number) => parseBytes('memory', memory), default: '1GB' },
  onError: { choices: ['stop', 'continue'], default: 'stop' },
} satisfies OptionSchema<OwnOptions>;

type Variables = NonNullable<BatchPlan['variables']>;

type OwnOptions = Omit<BatchPlan, keyof BatchRequest | keyof PlannedValues>;

/** The options of `statistics` with a climatology that are the same for every output. */
const REQUEST_KEYS = namesOf(AGAINST_OPTIONS).filter(
  (name): name is keyof BatchRequest => !(UNSHARED as readonly string[]).includes(name),
);
const VALUE_KEYS = namesOf(VALUE_OPTIONS);

/** All options of a plan. */
export const BATCH_OPTIONS = { ...AGAINST_OPTIONS, ...VALUE_OPTIONS, ...PLAN_OPTIONS };

/** Checks a plan before any file is read. Throws OptionError. */
export function checkPlan(plan: BatchPlan): CheckedPlan {
  if (typeof plan !== 'object' || plan === null || Array.isArray(plan))
    throw new OptionError({
      subject: 'plan',
      problem: 'is not an object',
      allowed: 'such as {"inputs": ["runs"], "out": "weekly"}',
    });
  assertKnownKeys(plan, [...namesOf(PLAN_OPTIONS), ...REQUEST_KEYS, ...VALUE_KEYS], 'plan');
  assertNoNulls(plan);
  const own = checkValues<OwnOptions, typeof PLAN_OPTIONS>(plan, PLAN_OPTIONS);
  const { climatologies, thresholds, format, compression } = own;
  assertCompression(format, compression);
  assertSingleFiles(own);
  const { verify } = own;
  if (verify !== undefined) assertVerifiable(plan, verify, format);
  const granularities: CheckedPlan['granularities'] =
    own.granularities ?? (climatologies.length > 0 ? undefined : ['daily']);
  const values: GivenValues = selectGiven(plan, VALUE_KEYS);
  assertOnePlace(plan.point, values);
  const definitions = own.variables?.filter((variable) => typeof variable === 'object').map(defineVariable) ?? [];
  const request: CheckedPlan['request'] = {
    ...selectGiven(plan, REQUEST_KEYS),
    // Plain data, also where manifests and other threads have them.
    ...(plan.startDate !== undefined && { startDate: dayText(plan.startDate) }),
    ...(plan.endDate !== undefined && { endDate: dayText(plan.endDate) }),
    ...(definitions.length > 0 && { variables: definitions }),
  };
  const slugs = own.variables && slugsOf(own.variables, definitions, request.window);
  const joint = jointVariables({ ...plan, thresholds });
  const variables: CheckedPlan['variables'] = joint === undefined && slugs !== undefined ? slugs : [undefined];
  if (joint !== undefined) assertKnownVariables(readConditions(thresholds as LimitList), request);
  const named = joint?.map(slugOf) ?? slugs ?? [];
  if (joint === undefined) checkThresholds(thresholds, variables);
  assertPlanValues(values, named);
  let needsClimatology = joint !== undefined && hasQuantiles(thresholds);
  for (const variable of joint ?? variables) {
    const limits = joint === undefined ? selectThresholds(thresholds, variable) : [];
    const requested = { ...request, variable, thresholds: limits };
    const { statistics, conditions } = readThresholdTexts(requested as StatisticsAgainstOptions);
    checkRequest<StatisticsAgainstOptions, typeof AGAINST_OPTIONS>(readWindowTexts(statistics), AGAINST_OPTIONS);
    needsClimatology ||= (statistics.exceed ?? []).length + neededQuantiles(conditions).length > 0;
  }
  if (climatologies.length === 0 && (needsClimatology || plan.exceed !== undefined || plan.anomaly !== undefined)) {
    throw new OptionError({
      subject: needsClimatology && plan.exceed === undefined ? 'thresholds' : 'exceed and anomaly',
      problem: 'need a climatology',
      allowed: 'climatologies: [FILE]',
    });
  }
  assertUsedBySome(values, named, definitions);
  const name = own.name ?? defaultName(variables, granularities);
  assertDivisible(name, format, verify);
  const { workers } = own;
  return { ...own, joint, compression, workers, variables, granularities, request, values, name };
}

/** Checks what a plan states about values; units may be stated by variable. Throws OptionError. */
function assertPlanValues(values: GivenValues, slugs: readonly string[]): asserts values is PlannedValues {
  const { units, ...others } = values;
  if (typeof units !== 'object') {
    checkValues<Omit<GivenValues, 'units'> & Pick<ValueOptions, 'units'>, typeof VALUE_OPTIONS>(
      { ...others, units },
      VALUE_OPTIONS,
    );
    return;
  }
  checkValues<Omit<GivenValues, 'units'> & Pick<ValueOptions, 'units'>, typeof VALUE_OPTIONS>(others, VALUE_OPTIONS);
  if (Array.isArray(units) || Object.values(units).some((text) => typeof text !== 'string' || text === '')) {
    throw new OptionError({
      subject: 'units',
      problem: 'is not an object of texts',
      received: Object.values(units),
      allowed: '"K", or by variable {"temp_mean": "K"}',
    });
  }
  assertKnownKeys(units, slugs, 'units');
}

/** Throws OptionError for an option about values of steps that no variable of a plan uses. */
function assertUsedBySome({ accumulation, splitExtremes }: PlannedValues, slugs: readonly string[], own: Variables) {
  const use = new OptionUse({ accumulation, splitExtremes });
  const defined = own as readonly Variable[];
  for (const slug of slugs) use.read(defined.find((each) => each.slug === slug) ?? variableByName(slug), 'variables');
  use.assertUsed();
}

/** Throws OptionError for the first option that is null, as in JSON: one without a value has to be left out. */
function assertNoNulls(plan: BatchPlan): void {
  for (const [name, value] of Object.entries(plan)) {
    if (value === null)
      throw new OptionError({ subject: name, problem: 'is null', allowed: 'a value, or to leave it out' });
  }
}

/** What a plan states about the values of a variable. */
export function selectValueOptions({ units, ...values }: PlannedValues, variable: string | undefined): ValueOptions {
  const own = typeof units === 'object' ? units[variable ?? ''] : units;
  return own === undefined ? values : { ...values, units: own };
}

/** Selects the options of a plan that are given, out of `keys`. */
function selectGiven<Key extends keyof BatchPlan>(plan: BatchPlan, keys: readonly Key[]): Pick<BatchPlan, Key> {
  const found = keys.filter((key) => plan[key] !== undefined).map((key) => [key, plan[key]]);
  return Object.fromEntries(found);
}

/** The limits requested for a variable: without those that name another one. */
export function selectThresholds(thresholds: CheckedPlan['thresholds'], variable: string | undefined): LimitList {
  if (Array.isArray(thresholds)) return thresholds.filter((given) => isOf(given, variable));
  const byVariable = thresholds as Readonly<Record<string, LimitList>>;
  return variable === undefined ? [] : (byVariable[variable] ?? []);
}

/** Whether limits are the same for all variables. */
export function isThresholdList(thresholds: Thresholds): thresholds is LimitList {
  return Array.isArray(thresholds);
}

/** Whether limits are quantiles of climatologies. */
function hasQuantiles(thresholds: Thresholds): boolean {
  return isThresholdList(thresholds) && neededQuantiles(readConditions(thresholds)).length > 0;
}

/** Whether a condition may be on a variable: it names none, or this one, or there is only one. */
function isOf(given: string | Threshold, variable: string | undefined): boolean {
  if (typeof given !== 'string' || variable === undefined) return true;
  return namedVariables(readConditions([given])).every((name) => slugOf(name) === variable);
}

/** The default template of names: an output for each input, variable and granularity. */
function defaultName(variables: readonly unknown[], granularities: readonly string[] | undefined): string {
  const parts = [
    '{input}',
    variables.length > 1 ? '{variable}' : '',
    granularities?.length === 1 ? '' : '{granularity}',
  ];
  return parts.filter((part) => part !== '').join('_');
}

function assertNames(variables: Variables): void {
  if (!Array.isArray(variables)) assertTextList('variables', variables);
  assertTextList(
    'variables',
    variables.filter((variable) => !isPlainObject(variable)),
  );
  if (variables.length === 0) throw emptyError('variables', 'slugs such as precipitation');
}

/** The slugs of variables, with a rule for windows also of those that are defined by it. */
function slugsOf(names: Variables, definitions: readonly Variable[], window: BatchRequest['window']): string[] {
  return [
    ...new Set(
      names.map(
        (name) => resolveVariable(typeof name === 'string' ? name : name.slug, definitions, window).variable.slug,
      ),
    ),
  ];
}

/** The texts of windows, each once. */
function uniqueGranularities(granularities: NonNullable<BatchPlan['granularities']>): string[] {
  if (!Array.isArray(granularities)) assertTextList('granularities', granularities);
  if (granularities.length === 0) throw emptyError('granularities', GRANULARITIES.join(', '));
  assertTextList(
    'granularities',
    granularities.filter((windows) => !Array.isArray(windows)),
  );
  return [...new Set(granularities.map((windows) => textOfWindows(windows)))];
}

/** The text of windows. Throws OptionError, which names the option, for what are none. */
function textOfWindows(windows: string | readonly NamedWindow[]): string {
  try {
    return windowsOf(windows).text;
  } catch (cause) {
    if (!isPlumecastError(cause, 'option')) throw cause;
    const { problem, received, allowed } = cause;
    throw new OptionError({ subject: 'granularities', problem, received, allowed, cause });
  }
}

/**
 * Checks limits by variable, and the variables that conditions name; what else they are is checked with the rest of the
 * request.
 */
function checkThresholds(thresholds: Thresholds, variables: readonly (string | undefined)[]): void {
  const slugs = variables.filter((slug) => slug !== undefined);
  if (Array.isArray(thresholds)) {
    for (const given of thresholds) if (typeof given === 'string') assertOneVariable(given, slugs);
    return;
  }
  if (typeof thresholds === 'object' && thresholds !== null && slugs.length > 0) {
    assertKnownKeys(thresholds, slugs, 'thresholds');
    if (Object.values(thresholds).every((list) => list !== null)) return;
  }
  throw new OptionError({
    subject: 'thresholds',
    problem: 'are neither a list nor lists by variable',
    received: thresholds,
    allowed: 'such as [">20"], or with variables {"precipitation": [">20"]}',
  });
}

/** Throws OptionError for a condition on a variable that the plan does not have. */
function assertOneVariable(given: string, slugs: readonly string[]): void {
  const names = namedVariables(readConditions([given]));
  if (slugs.length === 0 || names.every((name) => slugs.includes(slugOf(name)))) return;
  throw new OptionError({
    subject: 'thresholds',
    problem: "a condition is on a variable that is not one of the plan's",
    received: given,
    allowed: slugs.join(', '),
  });
}

function assertCompression(format: OutputFormat, compression: OutputCompression | undefined): void {
  if (format === 'netcdf') netcdfDeflate(compression);
  else if (format === 'zarr') zarrCompression(compression);
  else chooseCompression(format, { compression: tableCompression(format, compression) });
}

function assertWorkers(workers: number): void {
  if (Number.isInteger(workers) && workers >= 1 && workers <= 256) return;
  throw new OptionError({
    subject: 'workers',
    problem: 'is not a number of threads',
    received: workers,
    allowed: 'a whole number from 1 to 256',
  });
}

function assertInputs(inputs: readonly string[]): void {
  assertTextList('inputs', inputs);
  if (inputs.length === 0) throw emptyError('inputs', 'files, folders or globs');
}

function assertClimatologies(files: readonly string[]): void {
  assertTextList('climatologies', files);
}

function assertTextList(subject: string, list: unknown): asserts list is readonly string[] {
  if (Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== '')) return;
  throw new OptionError({
    subject,
    problem: 'is not a list of texts',
    received: list,
    allowed: 'such as ["a", "b"]',
  });
}

function emptyError(subject: string, allowed: string): OptionError {
  return new OptionError({ subject, problem: 'must not be empty', allowed });
}

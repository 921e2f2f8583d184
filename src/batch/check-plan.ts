import { assertKnownKeys, assertOneOf } from '../check/option-checks.js';
import { ACCUMULATIONS } from '../ensemble/accumulation.js';
import { OptionError } from '../errors.js';
import { chooseCompression } from '../files/encode-options.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import { checkStatisticsOptions } from '../statistics/options.js';
import { resolveVariable } from '../variable/find-variable.js';
import type { BatchPlan, BatchRequest, LimitList, PlannedValues, Thresholds } from './batch-plan.js';
import { parseBytes } from './byte-count.js';
import { assertNoNulls, checkPlanValues } from './check-plan-values.js';
import {
  netcdfDeflate,
  OUTPUT_COMPRESSIONS,
  OUTPUT_FORMATS,
  type OutputCompression,
  type OutputFormat,
  tableCompression,
} from './output-format.js';
import { checkTemplate } from './output-name.js';
import type { ValueOptions } from './run/value-options.js';

/** A checked plan, with its defaults filled in. */
export interface CheckedPlan {
  readonly inputs: readonly string[];
  readonly out: string;
  /** Slugs; a single undefined stands for the only variable of each file. */
  readonly variables: readonly (string | undefined)[];
  /** Undefined to use those of the climatologies. */
  readonly granularities: readonly Granularity[] | undefined;
  readonly thresholds: Thresholds;
  readonly climatologies: readonly string[];
  readonly request: BatchRequest;
  readonly values: PlannedValues;
  readonly format: OutputFormat;
  readonly compression: OutputCompression | undefined;
  readonly name: string;
  readonly workers: number | undefined;
  readonly memory: number;
  readonly onError: 'stop' | 'continue';
}

const REQUEST_KEYS: readonly (keyof BatchRequest)[] = [
  'quantiles',
  'quantileType',
  'spread',
  'startDate',
  'endDate',
  'partial',
  'minMemberShare',
  'point',
  'columns',
  'exceed',
  'anomaly',
];
const VALUE_KEYS: readonly (keyof PlannedValues)[] = [
  'units',
  'model',
  'stamps',
  'accumulation',
  'calendar',
  'array',
  'init',
  'missing',
  'sort',
  'decimal',
  'coordinates',
];
const OTHER_KEYS: readonly (keyof BatchPlan)[] = [
  'inputs',
  'out',
  'variables',
  'granularities',
  'thresholds',
  'climatologies',
  'format',
  'compression',
  'name',
  'workers',
  'memory',
  'onError',
];

/** Checks a plan before any file is read. Throws OptionError. */
export function checkPlan(plan: BatchPlan): CheckedPlan {
  if (typeof plan !== 'object' || plan === null || Array.isArray(plan))
    throw new OptionError({
      subject: 'plan',
      problem: 'is not an object',
      allowed: 'such as {"inputs": ["runs"], "out": "weekly"}',
    });
  assertKnownKeys(plan, [...OTHER_KEYS, ...REQUEST_KEYS, ...VALUE_KEYS], 'plan');
  assertNoNulls(plan);
  const {
    inputs,
    out,
    thresholds = [],
    format = 'arrow',
    workers,
    memory = '1GB',
    onError = 'stop',
    climatologies = [],
    compression,
  } = plan;
  assertTextList('inputs', inputs);
  if (inputs.length === 0) throw emptyError('inputs', 'files, folders or globs');
  if (typeof out !== 'string' || out === '') throw emptyError('out', 'the folder of the results');
  assertTextList('climatologies', climatologies);
  assertOneOf('format', format, OUTPUT_FORMATS);
  assertOneOf('onError', onError, ['stop', 'continue']);
  if (plan.accumulation !== undefined) assertOneOf('accumulation', plan.accumulation, ACCUMULATIONS);
  checkCompression(format, compression);
  checkWorkers(workers);
  const variables = checkVariables(plan.variables);
  const granularities = checkGranularities(plan, climatologies);
  checkThresholds(thresholds, variables);
  checkPlanValues(
    plan,
    variables.filter((slug) => slug !== undefined),
  );
  const request: BatchRequest = selectGiven(plan, REQUEST_KEYS);
  for (const variable of variables) {
    checkStatisticsOptions({ ...request, variable, thresholds: selectThresholds(thresholds, variable) }, [
      'exceed',
      'anomaly',
    ]);
  }
  if (climatologies.length === 0 && (plan.exceed !== undefined || plan.anomaly !== undefined)) {
    throw new OptionError({
      subject: 'exceed and anomaly',
      problem: 'need a climatology',
      allowed: 'climatologies: [FILE]',
    });
  }
  const name = plan.name ?? defaultName(variables, granularities);
  checkTemplate(name);
  return {
    inputs,
    out,
    variables,
    granularities,
    thresholds,
    climatologies,
    request,
    values: selectGiven(plan, VALUE_KEYS),
    format,
    compression,
    name,
    workers,
    memory: parseBytes('memory', memory),
    onError,
  };
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

/** The limits requested for a variable. */
export function selectThresholds(thresholds: CheckedPlan['thresholds'], variable: string | undefined): LimitList {
  if (Array.isArray(thresholds)) return thresholds;
  const byVariable = thresholds as Readonly<Record<string, LimitList>>;
  return variable === undefined ? [] : (byVariable[variable] ?? []);
}

/** The default template of names: an output for each input, variable and granularity. */
function defaultName(variables: readonly unknown[], granularities: readonly Granularity[] | undefined): string {
  const parts = [
    '{input}',
    variables.length > 1 ? '{variable}' : '',
    granularities?.length === 1 ? '' : '{granularity}',
  ];
  return parts.filter((part) => part !== '').join('_');
}

function checkVariables(variables: readonly string[] | undefined): (string | undefined)[] {
  if (variables === undefined) return [undefined];
  assertTextList('variables', variables);
  if (variables.length === 0) throw emptyError('variables', 'slugs such as precipitation');
  return [...new Set(variables.map((name) => resolveVariable(name).variable.slug))];
}

function checkGranularities(
  { granularities }: BatchPlan,
  climatologies: readonly string[],
): readonly Granularity[] | undefined {
  if (granularities === undefined) return climatologies.length > 0 ? undefined : ['daily'];
  assertTextList('granularities', granularities);
  if (granularities.length === 0) throw emptyError('granularities', GRANULARITIES.join(', '));
  for (const granularity of granularities) assertOneOf('granularity', granularity, GRANULARITIES);
  return [...new Set(granularities)];
}

/** Checks limits by variable; a single list is checked with the rest of the request. */
function checkThresholds(thresholds: Thresholds, variables: readonly (string | undefined)[]): void {
  if (Array.isArray(thresholds)) return;
  const slugs = variables.filter((slug) => slug !== undefined);
  if (typeof thresholds === 'object' && thresholds !== null && slugs.length > 0) {
    assertKnownKeys(thresholds, slugs, 'thresholds');
    if (Object.values(thresholds).every((list) => list !== null)) return;
  }
  throw new OptionError({
    subject: 'thresholds',
    problem: 'are neither a list nor lists by variable',
    received: typeof thresholds === 'object' ? JSON.stringify(thresholds) : thresholds,
    allowed: 'such as [">20"], or with variables {"precipitation": [">20"]}',
  });
}

function checkCompression(format: OutputFormat, compression: OutputCompression | undefined): void {
  if (compression !== undefined) assertOneOf('compression', compression, OUTPUT_COMPRESSIONS);
  if (format === 'netcdf') netcdfDeflate(compression);
  else chooseCompression(format, { compression: tableCompression(format, compression) });
}

function checkWorkers(workers: number | undefined): void {
  if (workers === undefined || (Number.isInteger(workers) && workers >= 1 && workers <= 256)) return;
  throw new OptionError({
    subject: 'workers',
    problem: 'is not a number of threads',
    received: workers,
    allowed: 'a whole number from 1 to 256',
  });
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

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
import type { ValueOptions } from './run/input-statistics.js';

/** A plan that is checked, with what was not said filled in. */
export interface CheckedPlan {
  readonly inputs: readonly string[];
  readonly out: string;
  /** Slugs; undefined where each file has but one. */
  readonly variables: readonly (string | undefined)[];
  /** Undefined where those of the climatologies are to be used. */
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

/** Checks a plan before any file is looked at. Throws OptionError. */
export function checkPlan(plan: BatchPlan): CheckedPlan {
  if (typeof plan !== 'object' || plan === null || Array.isArray(plan))
    throw new OptionError({
      subject: 'plan',
      problem: 'is no object',
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
  texts('inputs', inputs);
  if (inputs.length === 0) throw none('inputs', 'files, folders or globs');
  if (typeof out !== 'string' || out === '') throw none('out', 'the folder of the results');
  texts('climatologies', climatologies);
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
  const request: BatchRequest = given(plan, REQUEST_KEYS);
  for (const variable of variables) {
    checkStatisticsOptions({ ...request, variable, thresholds: thresholdsOf(thresholds, variable) }, [
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
  const name = plan.name ?? usualName(variables, granularities);
  checkTemplate(name);
  return {
    inputs,
    out,
    variables,
    granularities,
    thresholds,
    climatologies,
    request,
    values: given(plan, VALUE_KEYS),
    format,
    compression,
    name,
    workers,
    memory: parseBytes('memory', memory),
    onError,
  };
}

/** What is told of the values of a variable. */
export function valuesOf({ units, ...values }: PlannedValues, variable: string | undefined): ValueOptions {
  const own = typeof units === 'object' ? units[variable ?? ''] : units;
  return own === undefined ? values : { ...values, units: own };
}

/** Those of some options of a plan that are given. */
function given<Key extends keyof BatchPlan>(plan: BatchPlan, keys: readonly Key[]): Pick<BatchPlan, Key> {
  const found = keys.filter((key) => plan[key] !== undefined).map((key) => [key, plan[key]]);
  return Object.fromEntries(found);
}

/** The limits that are asked of a variable. */
export function thresholdsOf(thresholds: CheckedPlan['thresholds'], variable: string | undefined): LimitList {
  if (Array.isArray(thresholds)) return thresholds;
  const byVariable = thresholds as Readonly<Record<string, LimitList>>;
  return variable === undefined ? [] : (byVariable[variable] ?? []);
}

/** Of each input one output, or several whose names tell them apart. */
function usualName(variables: readonly unknown[], granularities: readonly Granularity[] | undefined): string {
  const parts = [
    '{input}',
    variables.length > 1 ? '{variable}' : '',
    granularities?.length === 1 ? '' : '{granularity}',
  ];
  return parts.filter((part) => part !== '').join('_');
}

function checkVariables(variables: readonly string[] | undefined): (string | undefined)[] {
  if (variables === undefined) return [undefined];
  texts('variables', variables);
  if (variables.length === 0) throw none('variables', 'slugs such as precipitation');
  return [...new Set(variables.map((name) => resolveVariable(name).variable.slug))];
}

function checkGranularities(
  { granularities }: BatchPlan,
  climatologies: readonly string[],
): readonly Granularity[] | undefined {
  if (granularities === undefined) return climatologies.length > 0 ? undefined : ['daily'];
  texts('granularities', granularities);
  if (granularities.length === 0) throw none('granularities', GRANULARITIES.join(', '));
  for (const granularity of granularities) assertOneOf('granularity', granularity, GRANULARITIES);
  return [...new Set(granularities)];
}

/** Those by variable; others are checked with the rest of what is asked. */
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
    allowed: 'such as [">20"], or where there are variables {"precipitation": [">20"]}',
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
    problem: 'no number of threads',
    received: workers,
    allowed: 'a whole number from 1 to 256',
  });
}

function texts(subject: string, list: unknown): asserts list is readonly string[] {
  if (Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== '')) return;
  throw new OptionError({
    subject,
    problem: 'no list of texts',
    received: list,
    allowed: 'such as ["a", "b"]',
  });
}

function none(subject: string, allowed: string): OptionError {
  return new OptionError({ subject, problem: 'there are none', allowed });
}

import type { BatchPlan } from '../batch/batch-plan.js';
import { type CheckedPlan, checkPlan, isVerifying } from '../batch/check-plan.js';
import { readClimatologies } from '../batch/climatologies.js';
import { partRequest } from '../batch/open-output-part.js';
import { jointVariables } from '../batch/planned-shares.js';
import { assertKnownKeys, assertObject, checkValues, namesOf } from '../check/option-checks.js';
import { AGAINST_OPTIONS, type StatisticsAgainstOptions } from '../climate/against-options.js';
import type { Climatology } from '../climate/climatology.js';

import { FormatError, OptionError, unusable } from '../errors.js';
import {
  checkRequest,
  type InputRequest,
  type PartOfWhole,
  VALUE_OPTIONS,
  type ValueOptions,
  withDefinitions,
} from '../input/input-request.js';
import { readClimatologyFile } from '../input/read-climatology-file.js';
import { PROTOCOL_VERSION } from './frames.js';

/** What a client requests. */
export interface WorkerRequest {
  /** What messages call the data. */
  readonly source: string;
  /** The path of the input; undefined if the data follow. */
  readonly file: string | undefined;
  /** What the names of files state that a glob in `file` stands for. */
  readonly join: string | undefined;
  /** What to compute; the results follow each other in this order. */
  readonly parts: readonly (InputRequest | PlannedRequestPart)[];
}

/** Scores in windows, or shares of conditions on several variables, in place of statistics. */
export interface PlannedRequestPart {
  readonly plan: CheckedPlan;
  /** What conditions are compared with. */
  readonly climatologies: readonly Climatology[];
  readonly variable: string | undefined;
  readonly granularity: string;
}

/** The fields of a request. */
interface RequestFields {
  readonly version: number;
  readonly source?: string;
  readonly file?: string;
  readonly join?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly climatology?: string;
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly part?: { readonly members?: number | readonly (string | number)[] };
}

const FIELDS = ['version', 'source', 'file', 'join', 'options', 'climatology', 'plan', 'part'];
/** Options of a plan that are about files and threads, which a request does not have. */
const OF_FILES = ['inputs', 'out', 'format', 'compression', 'name', 'workers', 'memory', 'onError'];
const NATIVE = 'native';

/** A request of another version, or that is no JSON: the frames after it may have another meaning. */
export class UnreadableRequestError extends FormatError {}

/**
 * Parses the text of a request. Throws UnreadableRequestError if it is not an object as JSON, or of another version.
 */
export function parseRequest(text: Uint8Array): RequestFields {
  let fields: unknown;
  try {
    fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch (cause) {
    throw new UnreadableRequestError({ subject: 'request', problem: 'is not JSON in UTF-8', cause });
  }
  const version = typeof fields === 'object' && fields !== null ? (fields as RequestFields).version : undefined;
  if (version === PROTOCOL_VERSION) return fields as RequestFields;
  throw new UnreadableRequestError({
    ...{ subject: 'request', problem: 'is of another version', received: version ?? 'none' },
    allowed: `version ${PROTOCOL_VERSION}`,
  });
}

/** Checks a request, and reads the climatologies that it names. Throws OptionError, and what reading throws. */
export async function checkWorkerRequest(fields: RequestFields): Promise<WorkerRequest> {
  assertKnownKeys(fields, FIELDS, 'request');
  const { file, join, source = file ?? 'data', plan, climatology } = fields;
  for (const [name, text] of Object.entries({ source, file, join, climatology })) {
    if (text !== undefined && (typeof text !== 'string' || text === '')) throw unusable(name, text, 'a text');
  }
  if (join !== undefined && file === undefined) {
    throw new OptionError({ subject: 'join', problem: 'is given without file', allowed: 'file: a glob of files' });
  }
  const part = partOfWhole(fields.part);
  const joint = plan === undefined ? jointPlan(fields) : undefined;
  if (joint !== undefined) return { source, file, join, parts: await planParts(joint, source) };
  if (plan === undefined) return { source, file, join, parts: [{ ...(await statisticsPart(fields, source)), part }] };
  if (part !== undefined) throw new OptionError({ subject: 'plan', problem: 'is given with part', allowed: 'options' });
  if (fields.options === undefined && climatology === undefined) {
    return { source, file, join, parts: await planParts(plan, source) };
  }
  throw new OptionError({ subject: 'plan', problem: 'is given with options or a climatology', allowed: 'one of them' });
}

/**
 * The plan of options with conditions on several variables, whose shares are the results; undefined for other options. Throws
 * OptionError for what such shares cannot have.
 */
function jointPlan({ options, climatology, part }: RequestFields): Readonly<Record<string, unknown>> | undefined {
  const { granularity, variable, ...others } = Object(options) as Partial<BatchPlan> &
    Readonly<Record<string, unknown>>;
  const { thresholds } = others;
  const isText = Array.isArray(thresholds) && thresholds.every((text) => typeof text === 'string');
  if (!isText || jointVariables(others) === undefined) return undefined;
  for (const [name, given] of Object.entries({ variable, part })) {
    if (given === undefined) continue;
    const problem = 'is given with conditions on several variables';
    throw new OptionError({ subject: name, problem, received: given, allowed: 'to leave it out' });
  }
  assertKnownOptions(others);
  return {
    ...others,
    ...(granularity !== undefined && { granularities: [granularity] }),
    ...(climatology !== undefined && { climatologies: [climatology] }),
  };
}

/** What is said of the whole that the data are a part of. Throws OptionError. */
function partOfWhole(part: RequestFields['part']): PartOfWhole | undefined {
  if (part === undefined) return undefined;
  assertObject('part', part, '{"members": ["0", "1", "2"]}');
  assertKnownKeys(part, ['members'], 'part');
  const { members } = part;
  if (members === undefined) return {};
  const isLabel = (label: unknown) => typeof label === 'number' || (typeof label === 'string' && label !== '');
  const isList = Array.isArray(members) && members.length > 0 && members.every(isLabel);
  const isCount = Number.isSafeInteger(members) && (members as number) > 0;
  if (!isList && !isCount) throw unusable('part.members', members, 'a list of labels, or a number of members from 1');
  if (!isList) return { members: members as number };
  const labels = members.map(String);
  const known = new Set<string>();
  const twice = labels.find((label) => known.size === known.add(label).size);
  if (twice === undefined) return { members: labels };
  throw new OptionError({
    subject: 'part.members',
    problem: 'has a label twice',
    received: twice,
    allowed: 'each once',
  });
}

/** The request for the options of `stats`. */
async function statisticsPart(
  { options = {}, climatology: path }: RequestFields,
  source: string,
): Promise<InputRequest> {
  assertObject('options', options, '{"granularity": "weekly"}');
  assertKnownOptions(options);
  const valueNames: readonly string[] = namesOf(VALUE_OPTIONS);
  const select = (isValue: boolean) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => valueNames.includes(name) === isValue));
  const values: ValueOptions = select(true);
  checkValues<ValueOptions, typeof VALUE_OPTIONS>(values, VALUE_OPTIONS);
  const { granularity, ...others } = withDefinitions(select(false));
  const native = granularity === NATIVE;
  const statistics = (
    native || granularity === undefined ? others : { granularity, ...others }
  ) as StatisticsAgainstOptions;
  assertComparable(statistics, path);
  const climatology = path === undefined ? undefined : await readClimatologyFile(path, values.calendar);
  const request = { statistics, values, climatology, native, threads: 1 };
  checkRequest(request, source);
  return request;
}

function assertKnownOptions(options: Readonly<Record<string, unknown>>): void {
  const { calendar, source, ...ownOptions } = AGAINST_OPTIONS;
  assertKnownKeys(options, [...namesOf(ownOptions), ...namesOf(VALUE_OPTIONS)]);
}

/** Throws OptionError for options that need a climatology without one. */
function assertComparable({ exceed, anomaly }: StatisticsAgainstOptions, path: string | undefined): void {
  if (path === undefined && (exceed ?? anomaly) !== undefined) {
    throw new OptionError({
      subject: 'exceed and anomaly',
      problem: 'need a climatology',
      allowed: 'climatology: FILE',
    });
  }
}

/** The requests of a plan: a result for each variable and granularity. */
async function planParts(plan: Readonly<Record<string, unknown>>, source: string): Promise<WorkerRequest['parts']> {
  assertObject('plan', plan, '{"granularities": ["weekly", "monthly"]}');
  const ofFiles = Object.keys(plan).find((name) => OF_FILES.includes(name));
  if (ofFiles !== undefined) {
    throw new OptionError({
      subject: 'plan',
      problem: 'has an option of files',
      received: ofFiles,
      allowed: 'to leave it out',
    });
  }
  // A state is text in a row; in files it is JSON.
  const isState = (plan.verify as { result?: unknown } | undefined)?.result === 'state';
  const checked = checkPlan({ ...plan, inputs: [source], out: '.', ...(isState && { format: 'json' }) });
  const { variables, granularities, values } = checked;
  if (isVerifying(checked)) {
    return variables.flatMap((variable) =>
      (granularities ?? []).map((granularity) => ({ plan: checked, climatologies: [], variable, granularity })),
    );
  }
  const climatologies = await readClimatologies(checked.climatologies, values.calendar);
  const windows = granularities ?? [...new Set(climatologies.map(({ granularity }) => `${granularity}`))];
  if (checked.joint !== undefined)
    return windows.map((granularity) => ({ plan: checked, climatologies, variable: undefined, granularity }));
  return variables.flatMap((variable) =>
    windows.map((granularity) => partRequest(checked, { input: source, variable, granularity }, climatologies)),
  );
}

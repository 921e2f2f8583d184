import { forEachLimited } from '../../check/work.js';
import { FileError, OptionError } from '../../errors.js';
import { MAX_INDEX_BYTES } from '../grib/inventory/index-names.js';
import { remoteAddress } from '../remote/remote-address.js';
import { type RemoteOptions, requestRemote } from '../remote/remote-server.js';
import { type GribArchive, parseNumbers } from './archive.js';
import { isOfField, parseIndex } from './index-lines.js';
import {
  filesOfRun,
  hoursOfRuns,
  productFor,
  type RunFile,
  runText,
  stepsOfRun,
  type WantedSteps,
} from './run-files.js';

/** Requests at a time. */
const AT_ONCE = 16;
const HOUR = 3600;
/** How far back runs are looked for, in hours. */
const MAX_AGE = 72;
/** A clock that differs by more from the server's is wrong, in seconds. */
const MAX_SKEW = 3600;

/** What is wanted of an archive. */
export interface ArchiveRequest {
  readonly archive: GribArchive;
  /** The root of the copy that is read. */
  readonly mirror: string;
  /** When the run begins, in seconds since 1970-01-01 UTC; by default the newest complete one. */
  readonly run?: number | undefined;
  /** How many runs make one lagged ensemble, up to this one; by default as many as the archive says. */
  readonly runs?: number | undefined;
  /** The last step, in hours; by default all of the first product. */
  readonly last?: number | undefined;
  /** Whether a field is wanted, by its short name. */
  wants(shortName: string): boolean;
}

/** A message that is wanted. */
export interface WantedMessage {
  readonly file: RunFile;
  readonly field: string;
  readonly step: number;
  readonly member: number;
  readonly offset: number;
  /** Undefined where it ends with its file. */
  readonly length: number | undefined;
}

/** The messages of a run that are wanted, all of which its index files list. */
export interface RunPlan {
  readonly archive: GribArchive;
  readonly mirror: string;
  readonly product: string;
  /** In seconds since 1970-01-01 UTC; of several the newest. */
  readonly run: number;
  /** All runs, the newest first. */
  readonly runs: readonly number[];
  readonly steps: readonly number[];
  readonly members: readonly number[];
  /** Their short names. */
  readonly fields: readonly string[];
  readonly messages: readonly WantedMessage[];
  /** What was requested to find this out. */
  readonly indexes: { readonly requests: number; readonly bytes: number };
  /** Newer runs, and what they lack. */
  readonly incomplete: readonly IncompleteRun[];
  /** What people should know. */
  readonly notes: readonly string[];
}

/** A run that cannot be read, and why. */
interface IncompleteRun {
  readonly run: number;
  readonly problem: string;
}

/** What requests were made, and the time that the server has. */
interface Counts {
  requests: number;
  bytes: number;
  /** Seconds by which the server's clock is ahead. */
  skew: number;
}

/**
 * Plans what to request of a run: the one that is named, or the newest of which index files list all wanted messages.
 * Throws FileError where there is none, or the server cannot be reached, and OptionError for what an archive does not
 * have.
 */
export async function planRun(request: ArchiveRequest, options: RemoteOptions = {}): Promise<RunPlan> {
  const { archive, last } = request;
  const fields = Object.keys(archive.fields).filter((name) => request.wants(name));
  if (fields.length === 0) {
    const problem = 'has no field that is wanted';
    throw new OptionError({ subject: archive.name, problem, allowed: Object.keys(archive.fields).join(', ') });
  }
  const wanted = { product: productFor(archive, last), last };
  const reach = Math.max(...wanted.product.runs.map(({ steps }) => parseNumbers(steps, 'steps').at(-1) ?? 0));
  if (last !== undefined && last > reach) {
    const subject = `${archive.name}, lead`;
    throw new OptionError({ subject, problem: 'is beyond its runs', received: last, allowed: `0 to ${reach} hours` });
  }
  const counts: Counts = { requests: 0, bytes: 0, skew: 0 };
  const context = { request, fields, wanted, options, counts };
  const { lagged = 1, between } = archive;
  const { run, runs: count = lagged } = request;
  if (between !== undefined && (run === undefined || !isBetween(run, between))) {
    const subject = `${archive.name}, run`;
    const allowed = `one of ${between[0]} to ${between[1]}`;
    const problem = run === undefined ? 'is not named, and there is no newest one' : 'is not one of the archive';
    throw new OptionError({ subject, problem, ...(run !== undefined && { received: runText(run) }), allowed });
  }
  if (run === undefined || count > 1) return newestRuns(context, run, count);
  const found = await planOf(context, run);
  if (typeof found !== 'string') return found;
  throw notComplete(request, run, found);
}

function notComplete({ archive, mirror }: ArchiveRequest, run: number, why: string): FileError {
  return new FileError({
    subject: `${archive.name}, run of ${runText(run)}`,
    problem: `is not complete at ${mirror}: ${why}`,
    allowed: 'a run of which all steps and members are there',
  });
}

function isBetween(run: number, [first, last]: readonly [string, string]): boolean {
  return run >= Date.parse(first) / 1000 && run < Date.parse(last) / 1000 + 24 * HOUR;
}

/** What is looked for, and how. */
interface Context {
  readonly request: ArchiveRequest;
  readonly fields: readonly string[];
  readonly wanted: WantedSteps;
  readonly options: RemoteOptions;
  readonly counts: Counts;
}

/** Plans the newest complete runs, or up to one, as many as make an ensemble. Throws FileError where there are fewer. */
async function newestRuns(context: Context, last: number | undefined, count: number): Promise<RunPlan> {
  const { request, counts, wanted } = context;
  const hours = MAX_AGE + (count - 1) * 24;
  const incomplete: IncompleteRun[] = [];
  const notes: string[] = [];
  const plans: RunPlan[] = [];
  let now = last ?? Date.now() / 1000;
  for (let rest = candidates(wanted, now, hours); rest.length > 0 && plans.length < count; rest = rest.slice(1)) {
    const [run] = rest;
    const found = await planOf(context, run);
    if (typeof found !== 'string') plans.push(found);
    else if (run === last) throw notComplete(request, run, found);
    else incomplete.push({ run, problem: found });
    if (last !== undefined || plans.length > 0 || Math.abs(counts.skew) <= MAX_SKEW || notes.length > 0) continue;
    notes.push(
      `the clock here differs by ${Math.round(Math.abs(counts.skew) / 60)} minutes from the server's, which counts`,
    );
    now += counts.skew;
    incomplete.length = 0;
    rest = [0, ...candidates(wanted, now, hours)];
  }
  if (plans.length === count) return joined(plans, incomplete, notes);
  const few = incomplete.slice(0, 3).map(({ run, problem }) => `${runText(run)}: ${problem}`);
  const none = count === 1 ? 'no complete run' : `${plans.length} complete runs, not ${count},`;
  throw new FileError({
    subject: request.archive.name,
    problem: `has ${none} of the last ${hours} hours at ${request.mirror}: ${few.join('; ')}`,
    received: `${incomplete.length} runs, the newest of ${runText(incomplete[0]?.run ?? 0)}`,
    allowed: 'another mirror, a run, or fewer steps',
  });
}

/** The plans of several runs as one. */
function joined(plans: readonly RunPlan[], incomplete: readonly IncompleteRun[], notes: readonly string[]): RunPlan {
  return {
    ...plans[0],
    runs: plans.map(({ run }) => run),
    messages: plans.flatMap(({ messages }) => messages),
    indexes: plans[plans.length - 1].indexes,
    ...{ incomplete, notes: [...notes, ...plans.flatMap((plan) => plan.notes)] },
  };
}

/** The runs that may be there, the newest first. */
function candidates(wanted: WantedSteps, now: number, count: number): number[] {
  const hours = hoursOfRuns(wanted);
  const newest = Math.floor(now / HOUR) * HOUR;
  return Array.from({ length: count }, (_, i) => newest - i * HOUR).filter((run) => hours.includes((run / HOUR) % 24));
}

/** What is wanted of a run; or why it is not complete. */
async function planOf({ request, fields, wanted, options, counts }: Context, run: number): Promise<RunPlan | string> {
  const { archive, mirror } = request;
  const steps = stepsOfRun(wanted, run);
  if (steps === undefined) return 'no run begins then';
  const files = filesOfRun(archive, fields, wanted, run);
  const ofLast = files.filter((file) => file.steps.includes(steps[steps.length - 1]));
  const texts = new Map<RunFile, string>();
  // Most runs that are not complete lack their end.
  for (const some of [ofLast, files.filter((file) => !ofLast.includes(file))]) {
    const missing: RunFile[] = [];
    await forEachLimited(some, AT_ONCE, async (file) => {
      if (missing.length > 0) return;
      const text = await requestIndex(`${mirror}/${file.index}`, options, counts);
      if (text === undefined) missing.push(file);
      else texts.set(file, text);
    });
    if (missing.length > 0) return `${missing[0].index} is not there`;
  }
  const found = files.map((file) => listedMessages(archive, file, texts.get(file) as string, { run, fields }));
  const fault = found.find((each) => typeof each === 'string');
  if (fault !== undefined) return fault as string;
  const messages = found.flat() as WantedMessage[];
  const present = fields.filter((name) => messages.some(({ field }) => field === name));
  if (present.length === 0) return `its index files list none of ${fields.join(', ')}`;
  const missing = firstMissing(archive, files, messages, present);
  if (missing !== undefined) return missing;
  return {
    ...{ archive, mirror, product: wanted.product.name, run, runs: [run], steps, fields: present, messages },
    members: [...new Set(files.flatMap(({ members }) => members))].sort((a, b) => a - b),
    indexes: { requests: counts.requests, bytes: counts.bytes },
    ...{ incomplete: [], notes: notesOnAbsent(run, fields, present) },
  };
}

/** What people should know where no index file of a run lists a field: it may stand in for another one. */
function notesOnAbsent(run: number, fields: readonly string[], present: readonly string[]): string[] {
  const absent = fields.filter((field) => !present.includes(field));
  if (absent.length === 0) return [];
  return [`the run of ${runText(run)} has no ${absent.join(', ')}: none of its index files lists it`];
}

/** The wanted messages that an index file lists; or what is wrong with it. */
function listedMessages(
  { index, fields: known, name }: GribArchive,
  file: RunFile,
  text: string,
  { run, fields }: { readonly run: number; readonly fields: readonly string[] },
): WantedMessage[] | string {
  const listed = parseIndex(text, index);
  if (typeof listed === 'string') return `${file.index}: ${listed}`;
  const own = new Date(1000 * run).toISOString().slice(0, 13).replace(/\D/g, '');
  const messages: WantedMessage[] = [];
  const steps = new Set(file.steps);
  for (const message of listed) {
    if (message.run !== undefined && message.run !== own) return `${file.index} is of another run, ${message.run}`;
    const field = fields.find((each) => isOfField(message, known[each]));
    const { step = file.fields === undefined ? file.steps[0] : undefined } = message;
    if (
      field === undefined ||
      step === undefined ||
      file.fields?.includes(field) === false ||
      !hasStep(known[field], step)
    )
      continue;
    if (!steps.has(step)) {
      // A file of all steps has more than are wanted.
      if (file.fields !== undefined) continue;
      return `${file.index} is of another step, ${step}`;
    }
    const member = file.members.length === 1 ? file.members[0] : message.member;
    if (message.member !== undefined && message.member !== member)
      return `${file.index} is of another member, ${message.member}`;
    if (member === undefined || !file.members.includes(member)) continue;
    const { offset, length } = message;
    messages.push({ file, field, step, member, offset, length });
  }
  const isNone = (field: string) => file.steps.every((step) => !hasStep(known[field], step));
  if (messages.length > 0 || fields.every(isNone)) return messages;
  return `${file.index} lists none of the wanted fields of ${name}`;
}

function hasStep(
  { after = -1, until = Number.POSITIVE_INFINITY }: { after?: number; until?: number },
  step: number,
): boolean {
  return step > after && step <= until;
}

/** What is the first field, step and member that no index file lists. */
function firstMissing(
  { fields: known }: GribArchive,
  files: readonly RunFile[],
  messages: readonly WantedMessage[],
  fields: readonly string[],
): string | undefined {
  const there = new Set(messages.map(({ step, field, member }) => `${step} ${field} ${member}`));
  for (const { steps, members, fields: own } of files) {
    for (const field of fields.filter((each) => own?.includes(each) !== false)) {
      for (const step of steps) {
        if (!hasStep(known[field], step)) continue;
        const absent = members.filter((member) => !there.has(`${step} ${field} ${member}`));
        if (absent.length === 0) continue;
        const who = absent.length === 1 ? `member ${absent[0]}` : `${absent.length} of ${members.length} members`;
        return `step ${step} lacks ${field} of ${who}`;
      }
    }
  }
  return undefined;
}

/** The text of an index file; undefined where there is none. Throws FileError. */
async function requestIndex(address: string, options: RemoteOptions, counts: Counts): Promise<string | undefined> {
  const remote = remoteAddress(address);
  const answer = await requestRemote(remote, {}, options, async ({ response, pieces }) => {
    const { status, ok, headers } = response;
    const time = Date.parse(headers.get('date') ?? '');
    if (Number.isFinite(time)) counts.skew = time / 1000 - Date.now() / 1000;
    counts.requests++;
    if (!ok) {
      await response.body?.cancel();
      return { status, text: undefined };
    }
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of pieces()) {
      counts.bytes += piece.length;
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_INDEX_BYTES) break;
    }
    const stated = Number(headers.get('content-length') ?? 0);
    if (!headers.has('content-encoding') && stated > 0 && stated !== new TextEncoder().encode(text).length)
      throw new Error(`the connection ended before all of ${stated} bytes came`);
    return { status, text };
  });
  // Buckets that cannot be listed answer 403 for what they do not have.
  if (answer.text !== undefined || [403, 404, 410].includes(answer.status)) return answer.text;
  throw new FileError({
    ...{ subject: remote.source, problem: 'the server does not give it', received: String(answer.status) },
    allowed: 'a server that answers with the index file',
  });
}

import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachLimited } from '../../check/work.js';
import { unwritable } from '../../disk/file-fault.js';
import { replaceFile } from '../../disk/replace-file.node.js';
import { FileError } from '../../errors.js';
import { bytesAccess } from '../array/random-access.js';
import { byteRuns } from '../array/read-strided.js';
import { readFieldProduct, scanAll } from '../grib/index-fields.js';
import { remoteAddress } from '../remote/remote-address.js';
import { requestRange } from '../remote/remote-object.js';
import type { RemoteOptions } from '../remote/remote-server.js';
import type { RunPlan, WantedMessage } from './plan-run.js';
import { runText } from './run-files.js';

/** Requests at a time. */
const AT_ONCE = 16;

/** How far the messages of a run have come. */
export interface FetchProgress {
  readonly requests: number;
  readonly requestsInAll: number;
  readonly bytes: number;
  /** As index files state it. */
  readonly bytesInAll: number;
  /** Of these, what was there before. */
  readonly requestsBefore: number;
  readonly bytesBefore: number;
}

/** How messages are requested. */
export interface FetchOptions extends RemoteOptions {
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** A file on the disk with messages of a run, in the order of the plan. */
export interface MessageFile {
  readonly path: string;
  /** The member of all of them, where they do not state it. */
  readonly member?: number | undefined;
}

/** Messages that one request gives. */
interface Part {
  readonly messages: readonly WantedMessage[];
  readonly offset: number;
  /** Undefined up to the end of the file. */
  readonly length: number | undefined;
}

/** The bytes of all messages, without the last ones of files, whose lengths are not stated. */
export function plannedBytes({ messages }: Pick<RunPlan, 'messages'>): number {
  return messages.reduce((sum, { length = 0 }) => sum + length, 0);
}

/** The requests that the messages of a run take. */
export function plannedRequests(plan: Pick<RunPlan, 'messages'>): number {
  return partsOf(plan).length;
}

/**
 * Requests the messages of a run, neighbours together and some at a time, and writes them to files in a folder. Files
 * that are there already are taken as they are. Throws FileError where a message is not as its index file says, cannot
 * be had, or the disk is full.
 */
export async function fetchMessages(
  plan: RunPlan,
  folder: string,
  { onProgress, ...options }: FetchOptions = {},
): Promise<MessageFile[]> {
  const parts = partsOf(plan);
  const bytesInAll = plannedBytes(plan);
  const versions = new Map<string, string>();
  let [requests, bytes, requestsBefore, bytesBefore] = [0, 0, 0, 0];
  await mkdir(folder, { recursive: true }).catch((cause) => {
    throw unwritable(folder, cause);
  });
  const files = parts.map((part, i): MessageFile => {
    const name = `${String(i).padStart(6, '0')}.grib2`;
    return { path: join(folder, name), member: part.messages[0].file.memberOfPath };
  });
  await forEachLimited(parts.entries(), AT_ONCE, async ([i, part]) => {
    const { path } = files[i];
    const known = await knownBytes(path, plan, part);
    if (known === undefined) {
      const bytes = await requestPart(plan, part, versions, options);
      await replaceFile(path, (temporary) => writeFile(temporary, bytes), `${path}.part`);
    } else {
      requestsBefore++;
      bytesBefore += known;
    }
    requests++;
    bytes += known ?? (await stat(path)).size;
    onProgress?.({ requests, requestsInAll: parts.length, bytes, bytesInAll, requestsBefore, bytesBefore });
  });
  return files;
}

/** Groups the messages of each file that lie near each other. */
function partsOf({ messages }: Pick<RunPlan, 'messages'>): Part[] {
  const byFile = new Map<string, WantedMessage[]>();
  for (const message of messages) {
    const own = byFile.get(message.file.path);
    if (own === undefined) byFile.set(message.file.path, [message]);
    else own.push(message);
  }
  return [...byFile.values()].flatMap((own): Part[] => {
    const spans = own.flatMap((message) =>
      message.length === undefined ? [] : { ...message, length: message.length },
    );
    const runs = byteRuns(spans, true).map(({ parts, offset, length }) => ({
      messages: unique(parts),
      offset,
      length,
    }));
    const last = own.filter(({ length }) => length === undefined);
    return last.length === 0 ? runs : [...runs, { messages: unique(last), offset: last[0].offset, length: undefined }];
  });
}

/** Several fields may be of one message. */
function unique(messages: readonly WantedMessage[]): WantedMessage[] {
  return messages.filter(({ offset }, i) => messages.findIndex((other) => other.offset === offset) === i);
}

/** The bytes of a file that was written before; undefined where it is not there, or not of this run. */
async function knownBytes(path: string, plan: RunPlan, part: Part): Promise<number | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    await checkMessages(bytes, plan, part);
    return bytes.length;
  } catch {
    return undefined;
  }
}

/** The messages of a part, one after the other. */
async function requestPart(
  plan: RunPlan,
  part: Part,
  versions: Map<string, string>,
  options: RemoteOptions,
): Promise<Uint8Array> {
  const { file } = part.messages[0];
  const address = remoteAddress(`${plan.mirror}/${file.path}`);
  const { bytes, version } = await requestRange(address, part, options);
  const before = versions.get(file.path) ?? version;
  if (version !== undefined) versions.set(file.path, version);
  if (before !== version && version !== undefined) {
    throw new FileError({
      ...{ subject: address.source, problem: 'was changed on the server while it was read' },
      allowed: 'a file that stays as it is until it is read',
    });
  }
  const own = part.messages.map(({ offset, length = bytes.length - (offset - part.offset) }) =>
    bytes.subarray(offset - part.offset, offset - part.offset + length),
  );
  const all = own.length === 1 ? own[0] : Buffer.concat(own);
  await checkMessages(all, plan, part);
  return all;
}

/** Throws FileError unless bytes are the messages of a part: of its run, step and members. */
async function checkMessages(bytes: Uint8Array, plan: RunPlan, { messages }: Part): Promise<void> {
  const { file } = messages[0];
  const fault = (problem: string, received?: string) =>
    new FileError({
      ...{ subject: remoteAddress(`${plan.mirror}/${file.path}`).source, problem },
      ...(received !== undefined && { received }),
      allowed: `messages as ${file.index} lists them`,
    });
  const scanned = await scanAll(bytesAccess(bytes, file.path));
  const fields = scanned.flatMap((each) => (each.kind === 'field' ? each : []));
  const offsets = new Set(fields.map(({ offset }) => offset));
  if (fields.length !== scanned.length || offsets.size !== messages.length)
    throw fault(
      'is not made of the messages that its index file lists',
      `${offsets.size} whole messages of ${messages.length}`,
    );
  const members = new Set(messages.map(({ member }) => member));
  const steps = [...new Set(messages.map(({ step }) => step))];
  for (const field of fields) {
    const product = readFieldProduct(field);
    if (typeof product === 'string') continue;
    const { reference, end, member } = product;
    if (reference !== file.run) throw fault('holds a message of another run', runText(reference));
    const step = (end - file.run) / 3600;
    if (!steps.includes(step)) throw fault(`holds a message of another step than ${steps.join(', ')}`, `${step}`);
    if (file.memberOfPath === undefined && member !== undefined && !members.has(member.number))
      throw fault('holds a message of another member', `${member.number}`);
  }
}

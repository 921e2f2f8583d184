import { type Table, tableToIPC } from 'apache-arrow';
import { serveConnection } from '../../src/worker/index.js';

/** A frame as docs/worker.md specifies it, made without the code of the worker. */
export function frame(kind: string, payload: Uint8Array | string): Uint8Array {
  const content = Buffer.from(payload as string);
  const head = Buffer.alloc(5, kind);
  head.writeUInt32LE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** The payload of an end frame. */
export function count(rows: number | bigint): Uint8Array {
  const payload = Buffer.alloc(8);
  payload.writeBigUInt64LE(BigInt(rows));
  return payload;
}

/** A complete request for a table, or for the bytes of one, in data frames of `cut` bytes. */
export function request(
  fields: object,
  data?: Table | Uint8Array,
  { rows = data === undefined || data instanceof Uint8Array ? 0 : data.numRows, cut = 1000 } = {},
): Uint8Array {
  const bytes = data === undefined || data instanceof Uint8Array ? data : tableToIPC(data, 'stream');
  const frames = [frame('Q', JSON.stringify({ version: 1, ...fields }))];
  for (let at = 0; at < (bytes?.length ?? 0); at += cut)
    frames.push(frame('D', bytes?.subarray(at, at + cut) as Uint8Array));
  return Buffer.concat([...frames, frame('E', count(rows))]);
}

/** What the worker sent for one request. */
export interface Answer {
  /** The Arrow streams of all results, one after the other. */
  bytes: Buffer;
  rows?: number;
  notices: { kind: string; source: string; text: string }[];
  error?: { tag: string; message: string; closes: boolean; [field: string]: unknown };
}

/** The answers in the bytes that a worker sent, after its hello. */
export function readAnswers(sent: Buffer): { hello: object; answers: Answer[] } {
  const answers: Answer[] = [];
  let hello = {};
  let now: Answer = { bytes: Buffer.alloc(0), notices: [] };
  for (let at = 0; at < sent.length; ) {
    const kind = String.fromCharCode(sent[at]);
    const end = at + 5 + sent.readUInt32LE(at + 1);
    const payload = sent.subarray(at + 5, end);
    if (end > sent.length) throw new Error('the answer is cut off');
    at = end;
    if (kind === 'H') hello = JSON.parse(payload.toString());
    else if (kind === 'N') now.notices.push(JSON.parse(payload.toString()));
    else if (kind === 'R') now.bytes = Buffer.concat([now.bytes, payload]);
    else {
      if (kind === 'X') now.error = JSON.parse(payload.toString());
      else now.rows = Number(payload.readBigUInt64LE());
      answers.push(now);
      now = { bytes: Buffer.alloc(0), notices: [] };
    }
  }
  return { hello, answers };
}

/** Sends bytes to a connection of a worker in this process, `pieceBytes` at a time, and reads its answers. */
export async function talk(given: Uint8Array, pieceBytes = 65_536): Promise<{ isGood: boolean; answers: Answer[] }> {
  const sent: Uint8Array[] = [];
  async function* pieces() {
    for (let at = 0; at < given.length; at += pieceBytes) yield given.subarray(at, at + pieceBytes);
  }
  const isGood = await serveConnection({ bytes: pieces(), write: async (bytes) => void sent.push(bytes.slice()) });
  return { isGood, answers: readAnswers(Buffer.concat(sent)).answers };
}

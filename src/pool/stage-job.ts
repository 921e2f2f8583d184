import type { EnsembleField } from '../core/field.js';
import { type Job, requestFor } from './job.js';
import { copyMember, memberBytes, type Piece, piecesOf } from './pieces.js';
import type { HandedValues } from './task.js';
import type { Slot, ThreadTeam } from './thread-team.js';

/** What each member's values in a slot begin at a multiple of. */
const ALIGNMENT = 64;

/**
 * Computes a job whose values only the calling thread can see: it copies one piece after the other to a buffer and hands it to a worker,
 * while the workers compute those before. Copying to shared memory would be several times slower. Resolves to the first result that failed.
 */
export async function stageJob({ slots }: ThreadTeam, job: Job): Promise<number | undefined> {
  const { field, windows, request, results } = job;
  const pieces = piecesOf(field, windows, Math.floor(slots[0].buffer.byteLength / field.members.length) - ALIGNMENT);
  if (pieces === undefined) return 0;
  const failed: number[] = [];
  // All slots take from the same pieces; who has copied a piece waits until it is computed.
  const use = async (slot: Slot) => {
    for (const piece of pieces) {
      const { shape, lane } = piece;
      const values = copyPiece(field, piece, slot.buffer);
      const part = requestFor(request, lane, lane + shape.cells * piece.windows.count);
      const task = { shape, values, windows: piece.windows, request: part, results, lane };
      const { failedAt, buffer } = await slot.thread.ask(task, [slot.buffer]);
      if (buffer !== undefined) slot.buffer = buffer;
      if (failedAt !== undefined) failed.push(failedAt);
      if (failed.length > 0) return;
    }
  };
  const outcomes = await Promise.allSettled(slots.map(use));
  const thrown = outcomes.find((outcome) => outcome.status === 'rejected');
  if (thrown !== undefined) throw thrown.reason;
  return failed.length > 0 ? Math.min(...failed) : undefined;
}

/** Copies a piece to a buffer, one member after the other. */
function copyPiece(field: EnsembleField, piece: Piece, buffer: ArrayBuffer): HandedValues {
  const { type, cells, days } = piece.shape;
  const members = field.members.length;
  const stride = Math.ceil(memberBytes(piece) / ALIGNMENT) * ALIGNMENT;
  const Type = type === 'float32' ? Float32Array : Float64Array;
  for (let m = 0; m < members; m++) copyMember(field, m, piece, new Type(buffer, m * stride, cells * days));
  return { buffer, members, stride };
}

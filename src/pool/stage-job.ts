import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type Job, requestFor } from './job.js';
import { copyMember, memberBytes, type Piece, piecesOf } from './pieces.js';
import type { Slot, ThreadTeam } from './thread-team.js';

/** What each member's values in a slot begin at a multiple of. */
const ALIGNMENT = 64;

/**
 * Computes a job whose values only the calling thread can see: it copies one piece after the other to where a worker sees it, while
 * the workers compute those before. Resolves to the first result that failed.
 */
export async function stageJob({ core, slots }: ThreadTeam, job: Job): Promise<number | undefined> {
  const { field, windows, request, results } = job;
  const pieces = piecesOf(field, windows, Math.floor(slots[0].bytes / field.members.length) - ALIGNMENT);
  if (pieces === undefined) return 0;
  const failed: number[] = [];
  // All slots take from the same pieces; who has copied a piece waits until it is computed.
  const use = async (slot: Slot) => {
    for (const piece of pieces) {
      const { shape, lane } = piece;
      const members = copyPiece(core, field, piece, slot);
      const part = requestFor(request, lane, lane + shape.cells * piece.windows.count);
      const task = { shape, members, windows: piece.windows, request: part, results, lane };
      const { failedAt } = await slot.thread.ask(task);
      if (failedAt !== undefined) failed.push(failedAt);
      if (failed.length > 0) return;
    }
  };
  const outcomes = await Promise.allSettled(slots.map(use));
  const thrown = outcomes.find((outcome) => outcome.status === 'rejected');
  if (thrown !== undefined) throw thrown.reason;
  return failed.length > 0 ? Math.min(...failed) : undefined;
}

/** Copies a piece to a slot, one member after the other, and returns where each begins. */
function copyPiece({ memory }: Core, field: EnsembleField, piece: Piece, { address }: Slot): number[] {
  const { type, cells, days } = piece.shape;
  const stride = Math.ceil(memberBytes(piece) / ALIGNMENT) * ALIGNMENT;
  return field.members.map((_, m) => {
    const at = address + m * stride;
    copyMember(
      field,
      m,
      piece,
      type === 'float32' ? memory.float32(at, cells * days) : memory.float64(at, cells * days),
    );
    return at;
  });
}

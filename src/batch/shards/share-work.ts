import { createHash } from 'node:crypto';
import type { CheckedPlan } from '../check-plan.js';
import { InputFingerprints } from '../input-fingerprints.js';
import { filesOf } from '../join-inputs.js';
import { filesOfPlan, listSources } from '../known-outputs.js';
import { createManifest } from '../manifest.js';
import { readSizes, totalBytes } from '../output-bytes.js';
import type { BatchOutput } from '../plan-outputs.js';
import type { PlannedWork } from '../planned-work.js';
import { WorkerThread } from '../worker-thread.js';
import type { HeldOutput, Piece, ShardRecord } from './shard-record.js';
import { shareUnits, type Unit, weightOf } from './share-units.js';

/** What each shard of a plan computes. */
export interface SharedWork {
  /** By shard, from the first to the last; within a shard in the order of the plan. */
  readonly shares: readonly (readonly SharedOutput[])[];
  /** What is the same in the records of all shards. */
  readonly record: Pick<ShardRecord, 'of' | 'plan' | 'inputs' | 'total'>;
  /** The size of each input. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** What a shard computes of an output. */
interface SharedOutput {
  /** The output; of a grid in pieces, the file with the results of pieces. */
  readonly output: BatchOutput;
  readonly held: HeldOutput;
}

/** The pieces of the grid of an output, and the sum of their sizes: cells times days. */
interface DividedGrid {
  readonly pieces: readonly Piece[];
  readonly size: number;
}

interface OutputUnit extends Unit {
  readonly position: number;
  readonly output: BatchOutput;
  /** The piece and the grid that it is of; undefined for an entire output. */
  readonly ofGrid?: { readonly block: Piece; readonly grid: DividedGrid };
}

/**
 * Divides the outputs of a plan among shards. An output that is more than a shard's share, of one gridded input, is
 * divided into pieces of its grid. `bytes` is the memory of the thread that reads what the grids are.
 */
export async function shareWork(
  plan: CheckedPlan,
  { inputs, outputs }: PlannedWork,
  shards: number,
  bytes: number,
): Promise<SharedWork> {
  const files = new InputFingerprints(new AbortController().signal);
  const sizes = await readSizes(outputs, files);
  const units = outputs.map((output, position): OutputUnit => {
    const sources = listSources(plan, output).join('\n');
    return { name: output.name, inputs: sources, bytes: totalBytes([output], sizes), position, output };
  });
  const grids = await divideLarge(plan, units, shards, bytes);
  const shares = shareUnits(
    units.flatMap((unit) => pieceUnits(unit, grids.get(unit.position))),
    shards,
  );
  const paths = [...inputs.flatMap(filesOf), ...filesOfPlan(plan)];
  const listed = await Promise.all(paths.map(async (path) => [path, await sizeOf(files, path)]));
  const { plumecast, plan: options } = createManifest(plan, [], [], []);
  const names = outputs.map(({ name }) => name);
  const divided = Array.from(grids, ([position, { pieces }]) => ({ position, pieces }));
  return {
    shares: shares.map(joinUnits),
    record: {
      of: shards,
      plan: hashOf({ plumecast, options, shards, listed, names, divided }),
      inputs: hashOf(listed),
      total: outputs.length,
    },
    sizes,
  };
}

async function sizeOf(files: InputFingerprints, path: string): Promise<number | undefined> {
  const state = await files.state(path).catch(() => undefined);
  return state?.bytes;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Divides the grids of outputs that are too large for one shard, by their position. */
async function divideLarge(
  plan: CheckedPlan,
  units: readonly OutputUnit[],
  shards: number,
  bytes: number,
): Promise<Map<number, DividedGrid>> {
  const share = weightOf(units) / shards;
  const large = units.filter((unit) => shards > 1 && unit.output.parts.length === 1 && weightOf([unit]) > share);
  const divided = new Map<number, DividedGrid>();
  const worker = new WorkerThread({ plan, bytes, bytesAlone: bytes });
  try {
    for (const unit of large) {
      const count = Math.min(shards, Math.ceil(unit.bytes / share));
      const task = { kind: 'divide', part: unit.output.parts[0], pieces: count } as const;
      const outcome = await worker.perform(task, () => {});
      // A file that cannot be read is not divided: its shard reports what is wrong with it.
      if (outcome.kind !== 'pieces' || outcome.pieces.length === 0) continue;
      const pieces = outcome.pieces.map((block, number) => ({ ...block, number }));
      divided.set(unit.position, { pieces, size: pieces.reduce((sum, piece) => sum + sizeOfPiece(piece), 0) });
    }
  } finally {
    await worker.stop();
  }
  return divided;
}

function sizeOfPiece({ cells, days }: Piece): number {
  return cells * days;
}

/** An output as one unit, or its pieces, each with its part of the bytes. */
function pieceUnits(unit: OutputUnit, grid: DividedGrid | undefined): OutputUnit[] {
  if (grid === undefined) return [unit];
  return grid.pieces.map((block) => {
    const bytes = (unit.bytes * sizeOfPiece(block)) / grid.size;
    return { ...unit, piece: block.number, bytes, ofGrid: { block, grid } };
  });
}

/** The outputs of a shard: all its pieces of an output are in one file. */
function joinUnits(units: readonly OutputUnit[]): SharedOutput[] {
  const byPosition = new Map<number, OutputUnit[]>();
  for (const unit of units) byPosition.set(unit.position, [...(byPosition.get(unit.position) ?? []), unit]);
  const inOrder = [...byPosition.values()].sort(([a], [b]) => a.position - b.position);
  return inOrder.map((own) => {
    const [{ name, position, output }] = own;
    const inPieces = own.flatMap(({ ofGrid }) => ofGrid ?? []);
    if (inPieces.length === 0) return { output, held: { output: name, position } };
    const blocks = inPieces.map(({ block }) => block).sort((a, b) => a.number - b.number);
    const [{ grid }] = inPieces;
    const share = blocks.reduce((sum, block) => sum + sizeOfPiece(block), 0) / grid.size;
    const file = `${name}.pieces`;
    const pieces = { file, of: grid.pieces.length, blocks, part: output.parts[0] };
    return { output: { ...output, name: file, pieces: { blocks, share } }, held: { output: name, position, pieces } };
  });
}

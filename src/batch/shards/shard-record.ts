import type { JsonFields } from '../../check/json-fields.js';
import type { Block } from '../../files/cf/grid-ensemble.js';
import type { OutputPart } from '../plan-outputs.js';
import type { Shard } from './shard.js';

/** What the manifest of a shard has besides that of a batch. */
export interface ShardRecord extends Shard {
  /** SHA-256 of the plan, its inputs with their sizes, the version and the number of shards. */
  readonly plan: string;
  /** SHA-256 of the inputs with their sizes. */
  readonly inputs: string;
  /** The number of outputs of all shards. */
  readonly total: number;
  readonly held: readonly HeldOutput[];
}

/** An output, or pieces of it, that a shard computes. */
export interface HeldOutput {
  /** The name of the output. */
  readonly output: string;
  /** Its position among all outputs of the plan, from 0 on. */
  readonly position: number;
  readonly pieces?: HeldPieces;
}

/** Some pieces of the grid of an output. */
export interface HeldPieces {
  /** The name of the file with their results. */
  readonly file: string;
  /** The number of all pieces. */
  readonly of: number;
  readonly blocks: readonly Piece[];
  /** What the output is made from. */
  readonly part: OutputPart;
}

export interface Piece extends Block {
  /** Its number among all pieces, from 0 on. */
  readonly number: number;
}

/** The name of the file of a shard that an output, or pieces of it, are in. */
export function heldFile({ output, pieces }: HeldOutput): string {
  return pieces?.file ?? output;
}

/** Reads the record of a shard from its manifest. Throws FormatError for the first field that is wrong. */
export function readShardRecord(fields: JsonFields): ShardRecord {
  return {
    number: fields.count('number'),
    of: fields.count('of'),
    plan: fields.text('plan'),
    inputs: fields.text('inputs'),
    total: fields.count('total', 0),
    held: fields.objects('held').map(readHeldOutput),
  };
}

function readHeldOutput(fields: JsonFields): HeldOutput {
  const held = { output: fields.path('output'), position: fields.count('position', 0) };
  return fields.has('pieces') ? { ...held, pieces: readPieces(fields.object('pieces')) } : held;
}

function readPieces(fields: JsonFields): HeldPieces {
  const part = fields.object('part');
  return {
    file: fields.path('file'),
    of: fields.count('of'),
    blocks: fields.objects('blocks').map((block) => ({
      ...{ cell: block.count('cell', 0), cells: block.count('cells') },
      ...{ day: block.count('day', 0), days: block.count('days') },
      number: block.count('number', 0),
    })),
    part: {
      input: part.text('input'),
      ...(part.has('files') && { files: part.texts('files') }),
      variable: part.optionalText('variable'),
      granularity: part.text('granularity'),
    },
  };
}

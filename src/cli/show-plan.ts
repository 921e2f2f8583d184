import type { ListedOutput, PlanList } from '../batch/list-plan.js';
import { type TextColumn, textTable } from './text-table.js';

/** Prints what a batch would do: tables for people. `shards` is the number of shards; undefined without. */
export function showPlan({ inputs, outputs, pruned }: PlanList, shards: number | undefined): string {
  const inputTable = textTable([
    textColumn('input', [...inputs.map(({ input }) => input), `${inputs.length} in all`]),
    byteColumn(inputs),
  ]);
  const outputTable = textTable([
    textColumn('output', [...outputs.map(({ output }) => output), `${countOutputs(outputs)} in all`]),
    byteColumn(outputs, 'bytes to read'),
    ...(shards === undefined ? [] : [textColumn('shard', [...outputs.map(describeShare), ''])]),
  ]);
  const tables = [inputTable, outputTable];
  if (shards !== undefined) tables.push(shardTable(listShards(outputs, shards)));
  if (pruned !== undefined) {
    const names = textColumn('pruned', [...pruned.map(({ output }) => output), `${pruned.length} in all`]);
    tables.push(textTable([names, byteColumn(pruned)]));
  }
  return `${tables.join('\n\n')}\n`;
}

/** The same as JSON, an object a line. */
export function planAsJson({ inputs, outputs, pruned = [] }: PlanList, shards: number | undefined): string {
  const removed = pruned.map(({ output, bytes }) => ({ pruned: output, bytes }));
  const lines = [...inputs, ...outputs, ...(shards === undefined ? [] : listShards(outputs, shards)), ...removed];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

interface ListedShard {
  readonly shard: number;
  readonly of: number;
  readonly outputs: number;
  readonly bytes: number;
}

function listShards(outputs: readonly ListedOutput[], shards: number): ListedShard[] {
  return Array.from({ length: shards }, (_, index) => {
    const own = outputs.filter(({ shard }) => shard === index + 1);
    return { shard: index + 1, of: shards, outputs: own.length, bytes: sum(own) };
  });
}

function shardTable(shards: readonly ListedShard[]): string {
  return textTable([
    textColumn('shard', [...shards.map(({ shard, of }) => `${shard}/${of}`), 'in all']),
    textColumn('outputs', [...shards.map(({ outputs }) => String(outputs)), ''], 'right'),
    byteColumn(shards, 'bytes to read'),
  ]);
}

function describeShare({ shard, pieces, ofPieces }: ListedOutput): string {
  return pieces === undefined ? String(shard) : `${shard}, pieces ${pieces.join(', ')} of ${ofPieces}`;
}

/** An output in pieces counts once. */
function countOutputs(outputs: readonly ListedOutput[]): number {
  return new Set(outputs.map(({ output }) => output)).size;
}

function textColumn(name: string, cells: readonly string[], align: TextColumn['align'] = 'left'): TextColumn {
  return { name, align, cells };
}

/** The bytes of each row, and their sum. */
function byteColumn(rows: readonly { readonly bytes: number }[], name = 'bytes'): TextColumn {
  return textColumn(name, [...rows.map(({ bytes }) => String(bytes)), String(sum(rows))], 'right');
}

function sum(rows: readonly { readonly bytes: number }[]): number {
  return rows.reduce((all, { bytes }) => all + bytes, 0);
}

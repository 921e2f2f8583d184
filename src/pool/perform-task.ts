import { type FloatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { computeInto } from '../statistics/compute.js';
import type { Lanes } from '../statistics/row-source.js';
import { columnsIn, someResults } from './shared-results.js';
import type { FieldShape, HandedValues, Reply, SharedMember, Task } from './task.js';
import { endQueue, takenTiles } from './tile-queue.js';

/** The cores of a worker: one on the memory that all share, one on memory of its own. */
export interface WorkerCores {
  readonly shared: Core;
  readonly own: Core;
}

/** Computes a task in a worker; whatever goes wrong, the reply says where. */
export function performTask(
  cores: WorkerCores,
  { shape, values, windows, request, results, lane, queue }: Task,
): Reply {
  let reached = 0;
  const choose = function* <Tile extends Lanes>(tiles: Iterable<Tile>) {
    for (const tile of queue ? takenTiles(tiles, queue) : tiles) {
      reached = tile.lane;
      yield tile;
    }
  };
  const buffer = isHanded(values) ? values.buffer : undefined;
  try {
    const core = isHanded(values) ? cores.own : cores.shared;
    const members = isHanded(values) ? handedMembers(shape, values) : values.map((at) => sharedMember(core, shape, at));
    const part = someResults(columnsIn(results, shape.type, request), lane, lane + shape.cells * windows.count);
    computeInto(core, { ...shape, members }, windows, request, part, choose);
    return { buffer };
  } catch {
    if (queue) endQueue(queue);
    return { failedAt: lane + reached, buffer };
  }
}

function isHanded(values: Task['values']): values is HandedValues {
  return 'buffer' in values;
}

function handedMembers({ type, cells, days }: FieldShape, { buffer, members, stride }: HandedValues): MemberColumn[] {
  const Type = type === 'float32' ? Float32Array : Float64Array;
  return Array.from({ length: members }, (_, m) => {
    return new MemberColumn('', [{ values: new Type(buffer, m * stride, cells * days) }]);
  });
}

function sharedMember(core: Core, shape: FieldShape, member: SharedMember): MemberColumn {
  return new MemberColumn('', typeof member === 'number' ? [{ values: valuesAt(core, shape, member) }] : member);
}

function valuesAt({ memory }: Core, { type, cells, days }: FieldShape, address: number): FloatArray {
  const length = cells * days;
  // Another thread may have grown the memory: this makes its new size known here.
  if (address + length * valueBytes(type) > memory.wasm.buffer.byteLength) memory.wasm.grow(0);
  return type === 'float32' ? memory.float32(address, length) : memory.float64(address, length);
}

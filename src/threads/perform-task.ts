import { type FloatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { computeInto } from '../statistics/compute.js';
import type { Lanes } from '../statistics/lane-source.js';
import { columnsIn } from './shared-results.js';
import type { FieldShape, Reply, SharedMember, Task } from './task.js';
import { endQueue, takenTiles } from './tile-queue.js';

/** Computes a worker's share of a task; whatever goes wrong, the reply says where. */
export function performTask(core: Core, { shape, values, windows, request, results, queue }: Task): Reply {
  let reached = 0;
  const choose = function* <Tile extends Lanes>(tiles: Iterable<Tile>) {
    for (const tile of takenTiles(tiles, queue)) {
      reached = tile.lane;
      yield tile;
    }
  };
  try {
    const members = values.map((member) => sharedMember(core, shape, member));
    computeInto(core, { ...shape, members }, windows, request, columnsIn(results, shape.type, request), choose);
    return {};
  } catch {
    endQueue(queue);
    return { failedAt: reached };
  }
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

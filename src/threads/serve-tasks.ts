import { instantiate } from '../core/instantiate.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, valueBytes } from '../core/number-arrays.js';
import { ROLLING_ROWS } from '../period/rolling-rows.js';
import { computeInto } from '../statistics/compute.js';
import type { Lanes } from '../statistics/tiles.js';
import { columnsIn } from './shared-results.js';
import type { FieldShape, Reply, Setup, SharedMember, Task } from './task.js';
import { endQueue, takeTiles } from './tile-queue.js';

/** Where a worker gets messages and sends replies: the scope of a Web Worker, or the port of a worker thread. */
export interface TaskPort {
  onmessage: unknown;
  postMessage(reply: Reply): void;
}

/** Runs a worker: creates its instance of the core, then computes one task after the other. */
export function serveTasks(port: TaskPort): void {
  port.onmessage = async ({ data }: { data: Setup }) => {
    try {
      const core = await instantiate(data.module, data.memory, data.arena);
      port.onmessage = ({ data }: { data: Task }) => port.postMessage(performTask(core, data));
      port.postMessage({});
    } catch {
      port.postMessage({ failedAt: 0 });
    }
  };
}

/** Computes a worker's share of a task; the reply states where it failed, for any error. */
function performTask(core: Core, { shape, values, windows, request, results, queue }: Task): Reply {
  let reached = 0;
  const choose = function* <Tile extends Lanes>(tiles: Iterable<Tile>) {
    for (const tile of takeTiles(tiles, queue)) {
      reached = tile.lane;
      yield tile;
    }
  };
  try {
    const members = values.map((member) => sharedMember(core, shape, member));
    // Functions are not sent.
    const table = windows.rolling ? { ...windows, ...ROLLING_ROWS } : windows;
    computeInto(core, { ...shape, members }, table, request, columnsIn(results, shape.type, request), choose);
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
  // Another thread may have grown the memory: growing it by 0 updates its size in this thread.
  if (address + length * valueBytes(type) > memory.wasm.buffer.byteLength) memory.wasm.grow(0);
  return type === 'float32' ? memory.float32(address, length) : memory.float64(address, length);
}

import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { MemberColumn } from '../../core/member-column.js';

/** Where the values of a point lie while they are computed with. */
interface Room {
  readonly address: number;
  readonly members: readonly MemberColumn[];
}

/** The most rooms that are kept, and the most values of one. */
const MOST_ROOMS = 32;
const MOST_VALUES = 262_144;

/** Room in the core's memory for ensembles of one point, a room for each number of days and members: the kernels use values where they lie. */
export class CoreRooms {
  readonly #core: Core;
  readonly #rooms = new Map<string, Room>();

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * The field with its values in the core's memory, where they hold until the next field of the same days and members comes; `values`
   * are those of all members, one after the other. The field itself where there is no room for one more shape.
   */
  hold(field: EnsembleField, values: Float32Array): EnsembleField {
    const { type, order, firstDay, days, cells, members } = field;
    const shape = `${days} ${members.length}`;
    const room = this.#rooms.get(shape) ?? this.#newRoom(shape, values.length, days);
    if (room === undefined) return field;
    this.#core.memory.float32(room.address, values.length).set(values);
    return { type, order, firstDay, days, cells, members: room.members };
  }

  #newRoom(shape: string, length: number, days: number): Room | undefined {
    if (this.#rooms.size === MOST_ROOMS || length > MOST_VALUES) return undefined;
    const { memory } = this.#core;
    const address = memory.allocate(length * Float32Array.BYTES_PER_ELEMENT);
    const members = memberColumns(memory.float32(address, length), days);
    const room = { address, members };
    this.#rooms.set(shape, room);
    return room;
  }
}

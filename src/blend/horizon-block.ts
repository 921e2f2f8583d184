import type { Core } from '../core/load.js';
import { type FloatArray, valueBytes } from '../core/number-arrays.js';
import type { Horizon } from './horizon.js';

/** Days of all members of a horizon at some cells, in the core's memory. */
export interface LoadedDays {
  readonly horizon: Horizon;
  /** The first of these days, a day number, and how many they are. */
  readonly firstDay: number;
  readonly days: number;
  /** Address of a table of the members' addresses. */
  readonly table: number;
  /** Bytes from a member's address to the first cell, and from cell to cell. */
  readonly offset: number;
  readonly cellStride: number;
  /** The first of the cells that are loaded, and how many they are. */
  readonly cell: number;
  readonly cells: number;
}

/**
 * Gives the kernels all members of a horizon at some cells: in place, if they lie in the core's memory; else copied
 * there, a group of cells at a time.
 */
export class HorizonBlock implements LoadedDays {
  readonly horizon: Horizon;
  readonly firstDay: number;
  readonly days: number;
  readonly table: number;
  offset = 0;
  readonly cellStride: number;
  cell = 0;
  cells = 0;
  readonly #core: Core;
  readonly #copies: number | undefined;
  readonly #memberBytes: number;

  /** Takes scratch from the core's memory; at most `cells` cells are loaded at once. */
  constructor(core: Core, horizon: Horizon, cells: number) {
    const { members, firstDay, days, type } = horizon.field;
    this.horizon = horizon;
    this.firstDay = firstDay;
    this.days = days;
    this.#core = core;
    this.cellStride = days * valueBytes(type);
    this.#memberBytes = blockBytes(cells * this.cellStride);
    const own = members.map((member) => member.addressIn(core));
    const isInPlace = own.every((address) => address !== undefined);
    const copies = isInPlace ? undefined : core.memory.scratch(members.length * this.#memberBytes);
    this.#copies = copies;
    const addresses = copies === undefined ? (own as number[]) : own.map((_, m) => copies + m * this.#memberBytes);
    this.table = core.memory.scratch(4 * members.length);
    core.memory.int32(this.table, members.length).set(addresses);
  }

  /** Loads `cells` cells, from `cell` on. */
  load(cell: number, cells: number): void {
    this.cell = cell;
    this.cells = cells;
    const { members, days, type } = this.horizon.field;
    if (this.#copies === undefined) {
      this.offset = cell * this.cellStride;
      return;
    }
    const { memory } = this.#core;
    const stride = this.#memberBytes / valueBytes(type);
    const buffer = members.length * stride;
    const target: FloatArray = memory[type](this.#copies, buffer);
    members.forEach((member, m) => {
      member.copyTo(target, m * stride, cell * days, (cell + cells) * days);
    });
  }
}

/** Rounds up to a multiple of 64 bytes that is never a power of two. */
export function blockBytes(bytes: number): number {
  return Math.ceil(bytes / 128) * 128 + 64;
}

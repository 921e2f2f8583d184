import type { CoreMemory } from './memory.js';

/** A part of the core's memory that is held until it is released, whatever else comes and goes. */
export interface HeldBlock {
  readonly address: number;
  /** The first address after it. */
  end: number;
  /** Which of the memory's buffers, counted, was the present one when the block was held, or released. */
  turn: number;
}

const ALIGNMENT = 64;
/** The most memory of the core that computing statistics needs, except with thousands of members, and some more. */
const SCRATCH_BYTES = 20_971_520;

/**
 * Blocks of a core's memory that are released in any order, below the stack that `mark`, `allocate` and `release` of
 * `CoreMemory` use.
 *
 * ```
 * | block | hole | block | allocated | block |  top of the stack: scratch ...
 * ```
 *
 * A hole is used again only when the memory has got another buffer than it had when the block was released, because
 * only then no view of what was there can be used: growing detaches the views of a memory of its own, and those of a
 * shared one are known by their buffers. Where a hole would be large enough and the memory would have to grow, it gets
 * a new buffer of the same size instead, so repeated reads need no more memory.
 */
export class HeldBlocks {
  readonly #memory: CoreMemory;
  /** In order of addresses, as the holes. */
  #blocks: HeldBlock[] = [];
  #holes: HeldBlock[] = [];

  /** The blocks of a memory: there is one such object for each. */
  static of(memory: CoreMemory): HeldBlocks {
    if (memory.held instanceof HeldBlocks) return memory.held;
    const held = new HeldBlocks(memory);
    memory.held = held;
    return held;
  }

  private constructor(memory: CoreMemory) {
    this.#memory = memory;
  }

  /** Holds `bytes` bytes, whose content is not cleared. Throws CoreError if the memory is exhausted. */
  hold(bytes: number): HeldBlock {
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    const memory = this.#memory;
    this.#lowerTop();
    let hole = this.#usableHole(size);
    const mustGrow = memory.mark() + size + SCRATCH_BYTES > memory.wasm.buffer.byteLength;
    if (hole === undefined && mustGrow && this.#holes.some(({ address, end }) => end - address >= size)) {
      memory.wasm.grow(0);
      this.#lowerTop();
      hole = this.#usableHole(size);
    }
    const address = hole?.address ?? memory.allocate(size);
    if (hole !== undefined) {
      this.#holes = this.#holes.filter((each) => each !== hole);
      if (hole.end > address + size) insert(this.#holes, { ...hole, address: address + size });
    }
    const block = { address, end: address + size, turn: memory.turn() };
    insert(this.#blocks, block);
    return block;
  }

  /** Makes a block longer where it is; false if what follows it is in use. Throws as `hold` does. */
  extend(block: HeldBlock, bytes: number): boolean {
    const more = block.address + bytes - block.end;
    if (block.end !== this.#memory.mark()) return false;
    this.#memory.allocate(more);
    block.end = this.#memory.mark();
    return true;
  }

  /** Releases a block. Does nothing for one that is released. */
  release(block: HeldBlock): void {
    if (!this.#blocks.includes(block)) return;
    this.#blocks = this.#blocks.filter((each) => each !== block);
    this.#addHole({ ...block, turn: this.#memory.turn() });
    this.#lowerTop();
  }

  /** The top of the stack when it is released to `mark`: blocks above stay, and what is between them becomes free. */
  top(mark: number): number {
    const turn = this.#memory.turn();
    const kept = [...this.#blocks, ...this.#holes.filter((hole) => hole.turn === turn)];
    kept.sort((a, b) => a.address - b.address);
    let top = mark;
    for (const { address, end } of kept) {
      if (end <= top) continue;
      if (address > top) this.#addHole({ address: top, end: address, turn: 0 });
      top = end;
    }
    this.#holes = this.#holes.filter(({ address }) => address < top);
    return top;
  }

  /** Whether any of the bytes is free, or held by another block than when a buffer was the present one. */
  isFree(address: number, end: number, turn: number): boolean {
    const overlaps = (each: HeldBlock) => each.address < end && address < each.end;
    return this.#holes.some(overlaps) || this.#blocks.some((block) => block.turn > turn && overlaps(block));
  }

  /** The first hole that is large enough, and of which no view is left. */
  #usableHole(size: number): HeldBlock | undefined {
    const now = this.#memory.turn();
    return this.#holes.find(({ address, end, turn }) => end - address >= size && turn < now);
  }

  /** Gives holes below the top of the stack back to it. */
  #lowerTop(): void {
    const memory = this.#memory;
    for (;;) {
      const last = this.#holes.at(-1);
      if (last === undefined || last.end < memory.mark() || last.turn === memory.turn()) return;
      this.#holes.pop();
      memory.release(last.address);
    }
  }

  #addHole(hole: HeldBlock): void {
    let { address, end, turn } = hole;
    const apart = this.#holes.filter((other) => {
      if (other.end < address || end < other.address) return true;
      [address, end, turn] = [Math.min(address, other.address), Math.max(end, other.end), Math.max(turn, other.turn)];
      return false;
    });
    insert(apart, { address, end, turn });
    this.#holes = apart;
  }
}

function insert(sorted: HeldBlock[], block: HeldBlock): void {
  let at = sorted.length;
  while (at > 0 && sorted[at - 1].address > block.address) at--;
  sorted.splice(at, 0, block);
}

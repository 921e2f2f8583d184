// Writes assembly/core/generated/networks.ts, which declares straight-line sorting networks for small numbers of
// members, and makes their bodies, which the build puts into the module.
//
// For the commonest numbers of members there are networks that bring only those order statistics to their places
// between which the usual quantiles lie: comparators that these do not need are left out, and of others one half.
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkCode } from './network-code.mjs';
import { bestSchedule } from './register-schedule.mjs';
import { selectionNetwork, sortingNetwork } from './sorting-networks.mjs';

/** Numbers of members that get straight-line code; other numbers up to the largest are padded to the next one. */
const SIZES = [4, 8, 11, 15, 21, 25, 31, 36, 42, 51];
/**
 * Numbers of members, and probabilities of quantiles of type 7, that get a network for their order statistics alone.
 */
const SELECTIONS = [{ size: 31, probabilities: [0.05, 0.25, 0.5, 0.75, 0.95] }];

/** The ranks, counted from 0, between which quantiles of type 7 lie. */
function neededRanks(size, probabilities) {
  return new Set(
    probabilities.flatMap((p) => {
      const rank = Math.round((size - 1) * p * 1e9) / 1e9;
      return [Math.floor(rank), Math.ceil(rank)];
    }),
  );
}

/** A network as the kernels call it: the build gives the module its body. */
function emitNetwork({ name }, lanes) {
  return `@external('networks', '${name}_${lanes}')
declare function ${name}_${lanes}(row: usize, rowBytes: usize, column: usize): void;
`;
}

function emitDispatch(lanes) {
  const cases = SIZES.map((size) => `  if (size <= ${size}) { sort${size}_${lanes}(row, rowBytes, column); return; }`);
  return `/** Sorts \`size\` vectors (${lanes}, each lane by itself), one in each row, into \`column\`. */
export function sortNetwork_${lanes}(row: usize, rowBytes: usize, size: i32, column: usize): void {
${cases.join('\n')}
}
`;
}

/** The ranks of a selection, as bits. */
function rankMask(ranks) {
  return [...ranks].reduce((mask, rank) => mask | (1n << BigInt(rank)), 0n);
}

function emitSelectionDispatch(lanes) {
  const cases = selections.map(({ size, ranks, name }) => {
    return `  if (${isSelection(size, ranks)}) ${name}_${lanes}(row, rowBytes, column);`;
  });
  return `/** Like \`sortNetwork_${lanes}\`, but only the ranks, bits of \`ranks\`, for which \`hasSelection\` come to their places. */
export function selectionNetwork_${lanes}(row: usize, rowBytes: usize, members: i32, ranks: u64, column: usize): void {
${cases.join('\n')}
}
`;
}

function isSelection(size, ranks) {
  return `members == ${size} && (ranks & ~0x${rankMask(ranks).toString(16)}) == 0`;
}

const networks = SIZES.map((size) => {
  return { size, name: `sort${size}`, operations: bestSchedule(size, sortingNetwork(size)) };
});
const selections = SELECTIONS.map(({ size, probabilities }) => {
  const ranks = neededRanks(size, probabilities);
  return { size, ranks, name: `select${size}`, operations: bestSchedule(size, selectionNetwork(size, ranks)) };
});
const LANES = ['f64x2', 'f32x4'];

/** The bodies of all networks, as bytes of WebAssembly by their names. */
export const networkBodies = new Map(
  LANES.flatMap((lanes) =>
    [...networks, ...selections].map(({ name, operations }) => [`${name}_${lanes}`, networkCode(operations, lanes)]),
  ),
);

const functions = LANES.flatMap((lanes) => [
  ...[...networks, ...selections].map((network) => emitNetwork(network, lanes)),
  emitDispatch(lanes),
  emitSelectionDispatch(lanes),
]);
const sizes = SIZES.map((size) => `  if (members <= ${size}) return ${size};`);
const text = `// Made by assembly/core/generate-networks.mjs. Do not edit.

/** The most vectors that a network sorts. */
export const MAX_NETWORK: i32 = ${SIZES.at(-1)};

/** The size of the network for this many members; the rest is padding. */
export function networkSize(members: i32): i32 {
${sizes.join('\n')}
  return members;
}

/** Whether there is a network for no more than these ranks, bits of \`ranks\`. */
export function hasSelection(members: i32, ranks: u64): bool {
${selections.map(({ size, ranks }) => `  if (${isSelection(size, ranks)}) return true;`).join('\n')}
  return false;
}

${functions.join('\n')}`;

const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('networks.ts', folder), text);

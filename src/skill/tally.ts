/** Weights are multiples of this: sums of so many are exact in any order. */
const WEIGHT_UNIT = 2 ** -20;

/** A weight as the nearest multiple of 2^-20. */
export function weightOf(weight: number): number {
  return Math.round(weight / WEIGHT_UNIT) * WEIGHT_UNIT;
}

/** Most members of an ensemble: what keys of tallies have space for. */
export const MAX_MEMBERS = 65_535;

/** The key of an event's cases: whether it happened, and for how many of the members it held. */
export function eventKey(members: number, holds: number, happened: boolean): number {
  return (members * 65_536 + holds) * 2 + Number(happened);
}

export function readEventKey(key: number): { members: number; holds: number; happened: boolean } {
  const both = Math.floor(key / 2);
  return { members: Math.floor(both / 65_536), holds: both % 65_536, happened: key % 2 === 1 };
}

/** The key of the rank of an observation: how many of the members lie below it, and how many are equal to it. */
export function rankKey(members: number, below: number, equal: number): number {
  return (members * 65_536 + below) * 65_536 + equal;
}

export function readRankKey(key: number): { members: number; below: number; equal: number } {
  const both = Math.floor(key / 65_536);
  return { members: Math.floor(both / 65_536), below: both % 65_536, equal: key % 65_536 };
}

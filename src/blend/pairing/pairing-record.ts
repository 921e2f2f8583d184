import { unusable } from '../../errors.js';
import { assertPairing, type Pairing } from './pairing.js';
import { membersOfRegions, type PairedRegions } from './regions.js';

/**
 * A pairing of fields as plain data, for JSON: lists of numbers are texts, separated by spaces; days are day numbers,
 * counted from 1970-01-01. It takes a few hundred bytes for each seam and region.
 */
export type PairingRecord = Written<Omit<Pairing, 'cells' | 'places'>>;

type Written<T> = T extends Int32Array
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Written<T[Key]> }
      : T;

/** Describes a pairing of fields as plain data. */
export function pairingRecord({ cells: _cells, places: _places, seams, horizons, ...pairing }: Pairing): PairingRecord {
  const { members, regions } = pairing;
  return {
    ...pairing,
    // Not the names of files.
    horizons: horizons.map(({ source: _source, ...horizon }) => horizon),
    // Members of regions follow from the partners; all regions have the same days.
    seams: seams.map(({ member, switchDay, ...seam }) => {
      return { ...seam, member: regions ? '' : text(member), switchDay: text(switchDay.subarray(0, members)) };
    }),
    regions: regions && {
      ...regions,
      seams: regions.seams.map(({ partners, chosen }) => ({ partners: text(partners), chosen: text(chosen) })),
    },
  };
}

/** The pairing of a record. Throws OptionError for what is none. */
export function readPairing(record: PairingRecord): Pairing {
  try {
    const { seams, regions, ...pairing } = record;
    const paired: PairedRegions | undefined = regions && {
      ...regions,
      seams: regions.seams.map(({ partners, chosen }) => ({ partners: numbers(partners), chosen: numbers(chosen) })),
    };
    const tables = paired && membersOfRegions(paired);
    const cells = paired?.count ?? 1;
    const read = {
      ...{ ...pairing, cells, regions: paired },
      seams: seams.map(({ member, switchDay, ...seam }, s) => {
        const days = numbers(switchDay);
        const repeated = Int32Array.from({ length: cells * days.length }, (_, i) => days[i % days.length]);
        return { ...seam, member: tables?.[s] ?? numbers(member), switchDay: repeated };
      }),
    };
    assertPairing(read);
    return read;
  } catch {
    throw unusable('pairing', record, 'the record of a pairing, as a store keeps it');
  }
}

function text(list: Int32Array): string {
  return list.join(' ');
}

function numbers(list: string): Int32Array {
  return Int32Array.from(list.split(' '), Number);
}

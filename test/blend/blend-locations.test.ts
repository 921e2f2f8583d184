import { beforeAll, describe, expect, it } from 'vitest';
import { blend } from '../../src/blend/blend.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { read } from '../table/tables.js';
import { cairns, horizon, type Place, roanoke } from './horizon-table.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('blend of several locations', () => {
  it('joins locations in any order, with longitudes from -180 or from 0; the result has the order of the first table', () => {
    const places = [roanoke, cairns];
    const value = (m: number, lead: number, place: number) => 1000 * place + 100 * m + lead;
    const other = (m: number, lead: number, place: number) => value(m, lead, 1 - place);
    const first = horizon({ leads: [0, 4], members: 3, places, value });
    const later = horizon({ leads: [2, 6], members: 3, places, value });
    const turned = horizon({ leads: [2, 6], members: 3, places: [cairns, [37.3, 280.16]], value: other });
    const expected = read(blend(core, [first, later]).table);
    expect(read(blend(core, [first, turned]).table)).toEqual(expected);
    expect(expected.parts[0].places).toEqual([roanoke, cairns]);
  });

  it('paired at each place joins the same members there with the pairing of another variable, for any order', () => {
    const places = [roanoke, cairns];
    // At Cairns the later members stand in another order than at Roanoke.
    const rank = (m: number, place: number) => (place === 0 ? m : (m + 1) % 3);
    const heat = (leads: [number, number], offset: number) =>
      horizon({
        leads,
        members: 3,
        places,
        value: (m, lead, place) => offset + 10 * (offset > 0 ? rank(m, place) : m) + lead / 100,
      });
    const { pairing } = blend(core, [heat([0, 4], 0), heat([2, 6], 500)], { method: 'cell' });
    // The value of rain shows its member and place: 1000 for the later table, 10 for each member, 1 at Cairns.
    const rain = (leads: [number, number], order: readonly Place[], offset: number) =>
      horizon({
        leads,
        members: 3,
        places: order,
        value: (m, _, place) => offset + 10 * m + (order[place] === cairns ? 1 : 0),
      });
    const turned = [cairns, roanoke];
    const found = read(blend(core, [rain([0, 4], turned, 0), rain([2, 6], turned, 1000)], { pairing }).table).parts[0];
    expect(found.places).toEqual([roanoke, cairns]);
    const onLastDays = Object.values(found.members).map((values) => [values[6], values[13]]);
    expect(onLastDays).toEqual([
      [1000, 1021],
      [1010, 1001],
      [1020, 1011],
    ]);
  });

  it('pairs by the locations that have values, however few they are', () => {
    const places = Array.from({ length: 144 }, (_, p): Place => [30 + Math.floor(p / 12), 5 + (p % 12)]);
    const island = new Set([17, 18, 30]);
    const of = (leads: [number, number], shift: number) =>
      horizon({
        ...{ leads, members: 7, places },
        value: (m, lead, place) => (island.has(place) ? Math.sin(9 * ((m + shift) % 7) + 3 * lead + place) : null),
      });
    const { pairing } = blend(core, [of([0, 8], 0), of([4, 16], 3)]);
    // The later members are the same in another order: each finds itself.
    expect([...pairing.seams[0].member]).toEqual([4, 5, 6, 0, 1, 2, 3]);
    const empty = horizon({ leads: [0, 8], members: 3, places, value: () => null });
    const later = horizon({ leads: [4, 16], members: 3, places, value: () => null });
    expect([...blend(core, [empty, later]).pairing.seams[0].member]).toEqual([0, 1, 2]);
  });

  it('finds the members of a run that was cut in two, also where some of its days are missing', () => {
    const places: Place[] = [roanoke, [38, -78], [36, -77]];
    const of = (leads: [number, number], shift: number) =>
      horizon({
        ...{ leads, members: 90, places },
        value: (m, lead, place) => {
          const own = (m + shift) % 90;
          // A level and a noise, so that other partners would bring weeks nearer to what they vary inside.
          const noise = (Math.sin(917 * own + 313 * lead + 71 * place) * 1000) % 1;
          return place === 1 && lead === 7 ? null : Math.sin(71 * own) + noise;
        },
      });
    const { pairing } = blend(core, [of([0, 8], 0), of([4, 16], 11)]);
    expect([...pairing.seams[0].member]).toEqual(Array.from({ length: 90 }, (_, m) => (m + 79) % 90));
  });

  it('pairs two members of each horizon, and places that are far from each other', () => {
    const places: Place[] = [roanoke, cairns, [64.1, -21.9]];
    const of = (leads: [number, number], members: number, shift: number) =>
      horizon({
        ...{ leads, members, places },
        value: (m, lead, place) => Math.sin(9 * ((m + shift) % members) + 3 * lead + 5 * place),
      });
    const two = blend(core, [of([0, 8], 2, 0), of([4, 16], 2, 1)]);
    expect(new Set(two.pairing.seams[0].member.subarray(0, 2))).toEqual(new Set([0, 1]));
    const { pairing, field } = blend(core, [of([0, 8], 5, 0), of([4, 16], 5, 2)]);
    expect(pairing.regions?.count).toBeGreaterThan(20);
    // Each of them is a run that was cut in two: at all places each member continues as itself.
    for (const [m, member] of field.members.entries()) {
      for (let place = 0; place < 3; place++) {
        const found = [0, 8, 12, 16].map((lead) => member.value(place * 17 + lead));
        expect(found).toEqual([0, 8, 12, 16].map((lead) => Math.sin(9 * m + 3 * lead + 5 * place)));
      }
    }
  });

  it('pairs all locations in the same way, whatever their order, and the pairing serves other locations', () => {
    const value = (m: number, lead: number, place: number) => Math.sin(7 * m + 3 * lead + 2 * place) + m;
    const of = (leads: [number, number], places: readonly Place[], order: readonly number[], shift: number) =>
      horizon({ leads, members: 5, places, value: (m, lead, place) => value((m + shift) % 5, lead, order[place]) });
    const near: Place = [38, -78];
    const places = [roanoke, near];
    const { pairing } = blend(core, [of([0, 8], places, [0, 1], 0), of([4, 16], places, [0, 1], 2)]);
    expect(pairing.cells).toBe(1);
    // The later members are the same in another order: each finds itself.
    expect([...pairing.seams[0].member]).toEqual([3, 4, 0, 1, 2]);
    const turned = [near, roanoke];
    const other = blend(core, [of([0, 8], turned, [1, 0], 0), of([4, 16], turned, [1, 0], 2)]);
    expect(other.pairing.seams).toEqual(pairing.seams);
    const elsewhere: Place[] = [[-40, 175]];
    const { field } = blend(core, [of([0, 8], elsewhere, [4], 0), of([4, 16], elsewhere, [4], 2)], { pairing });
    expect(field.members[0].value(16)).toBe(value(0, 16, 4));
  });
});

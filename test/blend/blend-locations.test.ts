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

  it('joins the same members at the same places with the pairing of another variable, for any order of places', () => {
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
    const { pairing } = blend(core, [heat([0, 4], 0), heat([2, 6], 500)]);
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

  it('pairs all locations in the same way with fieldWide, by their mean weighted by the cosine of latitude', () => {
    const value = (m: number, lead: number, place: number) => lead / 100 + [m, 1.5 * (2 - m)][place];
    const pairsAt = (latitude: number) => {
      const places: Place[] = [
        [0, 10],
        [latitude, 10],
      ];
      const first = horizon({ leads: [0, 4], members: 3, places, value: (m) => m });
      const later = horizon({ leads: [2, 6], members: 3, places, value });
      const { pairing } = blend(core, [first, later], { fieldWide: true });
      expect(pairing.cells).toBe(1);
      return [...pairing.seams[0].member];
    };
    // The other place turns the order round where it has more than 2/3 of the weight of the first: up to 48 degrees.
    expect(pairsAt(40)).toEqual([2, 1, 0]);
    expect(pairsAt(-60)).toEqual([0, 1, 2]);
  });
});

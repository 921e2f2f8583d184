import { labelAt, type PlaceLabels } from '../../ensemble/place-labels.js';
import { dateText, type ModelCalendar, packedDate } from '../../period/calendar.js';
import { twoDigits } from '../../period/day.js';
import { type WindowTable, windowKeys } from '../../period/period.js';
import type { CaseGroup, GroupLabels } from '../verification.js';
import type { ForecastRun } from './forecast-runs.js';
import { type LeadUnit, leadOf, leadUnit } from './lead.js';
import type { MatchedPlaces } from './match-places.js';
import type { CheckedVerify, Label } from './options.js';

const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];

/** The groups of the cases of a run at some places: of each place its windows. */
export interface CaseGroups {
  readonly groups: readonly CaseGroup[];
  readonly group: Int32Array;
}

/** Makes the groups of cases. */
export class CaseLabels {
  readonly #by: readonly Label[];
  readonly #block: string;
  readonly #unit: LeadUnit;
  readonly #calendar: ModelCalendar | undefined;
  readonly #labelOfLead: (lead: number) => number;

  /** `labelOfLead` gives the label of several leads that are together. */
  constructor(
    { by, block, granularity }: CheckedVerify,
    calendar: ModelCalendar | undefined,
    labelOfLead: (lead: number) => number = (lead) => lead,
  ) {
    this.#labelOfLead = labelOfLead;
    this.#by = by as readonly Label[];
    this.#block = block;
    this.#unit = leadUnit(granularity);
    this.#calendar = calendar;
  }

  /** The groups of the cases of some windows of a run at the places from `cell` on. */
  of(run: ForecastRun, windows: WindowTable, places: MatchedPlaces, cell: number, cells: number): CaseGroups {
    const block = this.#blockOf(run);
    const keys = this.#by.includes('window') ? windowKeys(windows) : [];
    const all = Array.from(windows.start, (_, w) => this.#labelsOf(run, windows, w, keys[w]));
    const distinct = new Map(all.map((labels) => [JSON.stringify(labels), labels]));
    const ofWindows = [...distinct.values()];
    const order = [...distinct.keys()];
    const at = all.map((labels) => order.indexOf(JSON.stringify(labels)));
    const byPlace = this.#by.includes('place');
    const groups: CaseGroup[] = [];
    const group = new Int32Array(cells * windows.count);
    /** The first of the groups of the windows at places with the same labels. */
    const known = new Map<string, number>();
    const begin = (labels: GroupLabels) => {
      const key = JSON.stringify(labels);
      const found = known.get(key);
      if (found !== undefined) return found;
      known.set(key, groups.length);
      for (const ofWindow of ofWindows) groups.push({ labels: { ...ofWindow, ...labels }, block });
      return groups.length - ofWindows.length;
    };
    const labelsOfCell = (c: number) => ({
      ...(byPlace && placeLabels(places, c)),
      ...(places.regions && { region: places.regions[c] }),
    });
    const fixed = byPlace || places.regions ? undefined : begin({});
    for (let c = 0; c < cells; c++) {
      const first = fixed ?? begin(labelsOfCell(cell + c));
      for (let w = 0; w < windows.count; w++) group[c * windows.count + w] = first + at[w];
    }
    return { groups, group };
  }

  #blockOf({ start, name }: ForecastRun): string | undefined {
    if (this.#block === 'none') return undefined;
    if (this.#block === 'start') return name;
    return dateText(this.#calendar, start).slice(0, this.#block === 'month' ? 7 : 4);
  }

  #labelsOf(run: ForecastRun, { start, end }: WindowTable, w: number, key: string | undefined): GroupLabels {
    const calendar = this.#calendar;
    // A week belongs to the month in which its middle day lies.
    const middle = packedDate(calendar, Math.floor((start[w] + end[w]) / 2));
    const month = (middle >> 5) & 15;
    const values: Record<Label, string | number | undefined> = {
      lead: this.#labelOfLead(leadOf(this.#unit, run.start, start[w], calendar)),
      window: key,
      month: twoDigits(month),
      season: SEASONS[Math.floor((month % 12) / 3)],
      year: middle >> 9,
      start_month: dateText(calendar, run.start).slice(5, 7),
      place: undefined,
      region: undefined,
    };
    const labels = this.#by
      .filter((label) => label !== 'place' && label !== 'region')
      .map((label) => [label, values[label]]);
    return Object.fromEntries(labels) as GroupLabels;
  }
}

/** The id and the coordinates of a place, as far as they are known. */
function placeLabels({ latitude, longitude, labels }: MatchedPlaces, place: number): GroupLabels {
  const [north, east] = [latitude[place], longitude[place]];
  const id = idAt(labels, place);
  return {
    ...(id !== undefined && { id }),
    ...(Number.isNaN(north + east) ? {} : { latitude: north, longitude: east }),
  };
}

function idAt(labels: PlaceLabels | undefined, place: number): string | undefined {
  const id = labels?.hasId ? labelAt(labels, labels.columns[0], place) : undefined;
  return id === undefined || id === null ? undefined : String(id);
}

/** Timelines of several horizons, derived variables and histories. */
import { FIRST_DAY, PLACES } from '../made-data.mjs';

export function blendCalls({ api, core }) {
  const options = { locations: PLACES };
  const horizons = [
    api.demoTables({ ...options, days: 15, members: 9, seed: 2, horizon: 'short-term' }),
    api.demoTables({ ...options, days: 46, members: 13, seed: 3, horizon: 'subseasonal' }),
    api.demoTables({ ...options, days: 120, members: 7, seed: 1, horizon: 'seasonal' }),
  ];
  const of = (slug) => horizons.map((tables) => tables[slug]);
  const ways = {
    'by default': {},
    splice: { method: 'splice' },
    'cell by cell': { method: 'cell' },
    'other overlaps': { overlaps: [5, 12], lastLeads: [12, 40, null] },
    'other names': { names: ['a', 'b', 'c'], sources: ['x', 'y', 'z'] },
  };
  const publicTimeline = ({ table, pairing, shares, notes }) => ({
    table,
    pairing,
    shares,
    notes: notes.length,
  });
  const later = (days) =>
    api.demoTable('temp_mean', { ...options, days: 20, members: 9, initDate: FIRST_DAY + days, seed: 5 });
  return {
    ...Object.fromEntries(
      ['temp_mean', 'precipitation'].flatMap((slug) =>
        Object.entries(ways).map(([name, how]) => [
          `blend ${slug}, ${name}`,
          () => publicTimeline(api.blend(core, of(slug), how)),
        ]),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(ways).map(([name, how]) => [
        `seamReport, ${name}`,
        () => api.seamReport(api.blend(core, of('temp_mean'), how)),
      ]),
    ),
    'blend by the pairing of another variable': () => {
      const pairing = api.pairMembers(core, of('temp_mean'));
      return api.blend(core, of('precipitation'), { pairing }).table;
    },
    blendVariables: () =>
      Object.entries(api.blendVariables(core, horizons)).map(([slug, timeline]) => [slug, publicTimeline(timeline)]),
    'blendVariables by precipitation': () =>
      Object.entries(api.blendVariables(core, horizons, { pairBy: 'precipitation' })).map(([slug, { table }]) => [
        slug,
        table,
      ]),
    'blend of horizons that touch': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(15)]).table,
    'blend over a gap': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(18)]),
    'blend over a gap that is kept': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(18)], { keepGaps: true })
        .table,
    'blend of different variables': () => api.blend(core, [horizons[0].temp_mean, horizons[1].precipitation]),
    'blend of one member': () =>
      api.blend(core, [horizons[0].temp_mean, api.demoTable('temp_mean', { ...options, members: 1 })]),
    'blend of other places': () => api.blend(core, [horizons[0].temp_mean, api.demoTable('temp_mean', {})]),
    'blend of nothing': () => api.blend(core, []),
    'blendFields, blendInGroups and pairFields': () => {
      const { horizons: fields } = api.blend(core, of('temp_mean'));
      const how = { method: 'field', overlaps: [3, 7], lastLeads: [14, 41, 214], keepGaps: false };
      const whole = api.blendFields(core, fields, how);
      const groups = [];
      for (const group of api.blendInGroups(core, fields, api.pairFields(core, fields, how)))
        groups.push(Object.keys(group).sort());
      return [
        whole.field.members.map((member) => Array.from({ length: 150 }, (_, row) => member.value(row))),
        groups.length,
      ];
    },
  };
}

export function historyCalls({ api }) {
  const run = { days: 30, members: 5, locations: PLACES };
  const tables = api.demoTables(run);
  const past = (initDate, days, seed) => api.demoTable('temp_mean', { initDate, days, members: 1, seed });
  return {
    ...Object.fromEntries(
      ['dew_point', 'vapor_pressure_deficit', 'evapotranspiration'].map((slug) => [
        `deriveVariable ${slug}`,
        () => api.deriveVariable(slug, tables, { elevation: 500 }),
      ]),
    ),
    'deriveVariable evapotranspiration without an elevation': () => api.deriveVariable('evapotranspiration', tables),
    'deriveVariable dew_point without its inputs': () =>
      api.deriveVariable('dew_point', { temp_mean: tables.temp_mean }),
    'deriveVariable of what is not derived': () => api.deriveVariable('temp_mean', tables),
    'fillGaps of two': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 30, 1) },
        { name: 'b', table: past(20_020, 40, 2) },
      ]),
    'fillGaps over days that none has': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 10, 1) },
        { name: 'b', table: past(20_020, 10, 2) },
      ]),
    'fillGaps of one name twice': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 10, 1) },
        { name: 'a', table: past(20_020, 10, 2) },
      ]),
    'fillGaps of nothing': () => api.fillGaps([]),
  };
}

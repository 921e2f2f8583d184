/** The JSON of answers, and where a service has its data from. */
import { outcomeOf } from '../digest.mjs';
import { FIRST_DAY, PLACES } from '../made-data.mjs';

export function respondCalls({ api, core }) {
  const table = api.demoTable('temp_mean', { days: 30, members: 5, locations: PLACES.slice(0, 1) });
  const closest = { latitude: 37.25, longitude: -80 };
  const forecast = {
    ...{ initTime: '2025-11-20T00:00:00Z', version: 'gefs-v12', generation: '7f3a' },
    ...{ requested: { latitude: 37.27, longitude: -79.94 }, closest },
  };
  const today = 20_412;
  const columns = (mean, ...quantiles) => ({
    ...{
      length: mean.length,
      mean: Float32Array.from(mean),
      quantiles: quantiles.map((values) => Float32Array.from(values)),
    },
    ...{ probabilities: [], categories: [], members: Int32Array.from(mean, (x) => (Number.isNaN(x) ? 3 : 31)) },
  });
  const variable = (slug) => api.findVariable(slug);
  const windows = (granularity, from, to) => api.windowTable(granularity, from, to);
  const none = Number.NaN;
  return {
    membersJson: () => {
      const writer = new api.JsonWriter();
      const members = [Float32Array.of(0, none), Float32Array.of(1.25, 0.125), Float32Array.of(12.3, -1e-18)];
      const one = {
        variable: variable('precipitation'),
        downscaled: false,
        location: closest,
        firstDay: today,
        days: 2,
        members,
      };
      return textOf(
        api.membersJson({ ...forecast, period: { firstDay: today, lastDay: today + 1 }, variables: [one] }, writer) ??
          writer,
      );
    },
    statisticsJson: () =>
      textOf(
        api.statisticsJson({
          ...{
            ...forecast,
            attribution: 'NOAA "GEFS"',
            period: { firstDay: today + 4, lastDay: today + 17 },
            granularity: 'weekly',
            quantiles: [0.05, 0.025],
          },
          variables: [
            {
              ...{
                variable: variable('temp_mean'),
                downscaled: true,
                location: closest,
                windows: windows('weekly', today, today + 18),
              },
              statistics: columns([8.125, none], [-4.2, none], [6.7, none]),
            },
          ],
        }),
      ),
    historyJson: () =>
      textOf(
        api.historyJson({
          ...{ granularity: 'monthly', location: closest, period: { firstDay: 20_332, lastDay: 20_392 } },
          variables: [
            {
              ...{ variable: variable('solar_radiation'), downscaled: false, location: closest },
              ...{ windows: windows('monthly', 20_332, 20_392), values: Float32Array.of(17.4, none) },
            },
          ],
        }),
      ),
    legacyForecastJson: () =>
      textOf(
        api.legacyForecastJson({
          ...{
            granularity: 'weekly',
            location: closest,
            locationId: 'demo-field',
            dropped: ['wind_gust_max'],
            initTime: forecast.initTime,
          },
          ...{ tercileReference: 'observations', referencePeriod: '1993-2022' },
          variables: [
            {
              ...{ variable: variable('precipitation'), windows: windows('weekly', today + 7, today + 26) },
              statistics: columns([18.3, none], [0.5, none], [1.5, none], [2.5, none], [3.5, none], [4.5, none]),
              terciles: [Float32Array.of(8 / 31, none), Float32Array.of(11 / 31, none), Float32Array.of(12 / 31, none)],
            },
          ],
        }),
      ),
    legacyHistoryJson: () =>
      textOf(
        api.legacyHistoryJson({
          ...{ granularity: 'daily', location: closest, dropped: [] },
          variables: [{ variable: variable('temp_mean'), firstDay: today - 2, values: Float32Array.of(7.31, none) }],
        }),
      ),
    legacyClimatologyJson: () =>
      textOf(
        api.legacyClimatologyJson({
          ...{
            granularity: 'monthly',
            location: closest,
            dropped: [],
            referencePeriod: '1993-2022',
            keys: ['01', '02'],
          },
          variables: [
            { variable: variable('temp_mean'), quantiles: [-1.5, 0, 1.5, 3, 4.5].map((x) => Float32Array.of(x, none)) },
          ],
        }),
      ),
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].map((granularity) => [
        `statisticsJsonOfTable, ${granularity}`,
        () =>
          textOf(
            api.statisticsJsonOfTable(api.statistics(core, table, { granularity, partial: true }), {
              downscaled: false,
            }),
          ),
      ]),
    ),
  };
}

export function storeCalls({ api, core }) {
  const dataset = (revision, days, members, seed) => {
    const { precipitation } = api.generateEnsemble({ ...PLACES[0], seed, initDate: FIRST_DAY, days, members });
    const values = Float32Array.from(precipitation.flatMap((member) => [...member]));
    if (revision === 'gaps') values.fill(Number.NaN, 3, 6);
    const variables = { precipitation: { firstDay: FIRST_DAY, days, members, values } };
    return api.memoryDataset({
      ...{ revision, variables },
      ...{ latitude: Float64Array.of(PLACES[0].latitude), longitude: Float64Array.of(PLACES[0].longitude) },
    });
  };
  const valuesOf = async (data) => {
    const { days, members } = data.variables.get('precipitation');
    const into = new Float32Array(days * members);
    await data.read('precipitation', 0, into);
    return [data.revision, days, members, into, await data.origins?.('precipitation', 0)];
  };
  const places = () =>
    new api.PlaceIndex({ latitude: Float64Array.of(10, 10, 20), longitude: Float64Array.of(0, 359, 180) });
  const points = [
    [10, -0.6],
    [20.3, 180.2],
    [89, 0],
    [10.5, 0.5],
  ];
  return {
    'memoryDataset read': () => valuesOf(dataset('r', 20, 3, 1)),
    gapFilled: () =>
      valuesOf(
        api.gapFilled([
          { name: 'a', data: dataset('gaps', 10, 1, 1) },
          { name: 'b', data: dataset('s', 20, 1, 2) },
        ]),
      ),
    blendedDataset: () =>
      valuesOf(
        api.blendedDataset(
          core,
          { 'short-term': dataset('a', 15, 5, 1), subseasonal: dataset('b', 40, 7, 2) },
          { pairBy: 'precipitation' },
        ),
      ),
    'PlaceIndex nearest': () =>
      Promise.all(points.map(([latitude, longitude]) => outcomeOf(() => places().nearest({ latitude, longitude })))),
    ...Object.fromEntries(
      points.map(([latitude, longitude]) => [
        `PlaceIndex covering ${latitude}, ${longitude}`,
        () => places().covering({ latitude, longitude }),
      ]),
    ),
    hashKey: () => api.hashKey('a key'),
    ...Object.fromEntries(
      ['demo', 'store', 'tables'].flatMap((folder) =>
        ['describeStore', 'listKeys', 'listLocations', 'openStore'].map((name) => [
          `${name} of ${folder}`,
          async () => {
            const found = await api[name](folder);
            if (name !== 'openStore') return found;
            const { forecast, history, attribution } = await found.snapshot();
            const facts = [
              forecast?.generation,
              [...(forecast?.timeline.variables ?? [])],
              [...(history?.data.variables ?? [])],
            ];
            await found.close();
            return [facts, attribution];
          },
        ]),
      ),
    ),
  };
}

/** The text of JSON that a function gives as text, bytes or a writer. */
function textOf(result) {
  if (typeof result === 'string') return result;
  const bytes = ArrayBuffer.isView(result) ? result : (result.bytes?.() ?? result.finish?.() ?? result.toBytes?.());
  return bytes === undefined ? String(result) : new TextDecoder().decode(bytes);
}

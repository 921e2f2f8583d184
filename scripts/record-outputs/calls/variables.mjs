/** Calls about variables, their formulas, and the weather of the demo. */
import { FIRST_DAY, PLACES } from '../made-data.mjs';

export function variableCalls({ api }) {
  const all = [...(api.variables.values?.() ?? api.variables)];
  return {
    variables: () => all,
    'lists of variables': () => [api.HORIZONS, api.PRODUCTS, api.DEMO_VARIABLES],
    'findVariable of all': () => all.map(({ slug }) => api.findVariable(slug).slug),
    defineVariable: () =>
      api.defineVariable({ slug: 'own', units: 'mm', window: 'sum', bounds: [0, 1], fileNames: ['x'] }),
    'isAvailable of all': () =>
      all.map((variable) =>
        ['short-term', 'seasonal', 'history'].map((product) => api.isAvailable(variable, product, 20)),
      ),
    ...named(Object.keys(FORMULAS), (name) => FORMULAS[name].map((args) => api[name](...args))),
    netLongwaveRadiation: () =>
      api.netLongwaveRadiation({
        tempMin: 19.1,
        tempMax: 25.1,
        vaporPressure: 2.1,
        solarRadiation: 14.5,
        clearSkyRadiation: 18.8,
      }),
    referenceEvapotranspiration: () =>
      api.referenceEvapotranspiration({
        ...{
          netRadiation: 13.28,
          temperature: 16.9,
          windSpeed: 2.078,
          vaporPressureDeficit: 0.589,
          psychrometricConstant: 0.0666,
        },
      }),
  };
}

export function demoCalls({ api }) {
  const place = { latitude: 37.3, longitude: -79.84, initDate: FIRST_DAY, days: 40 };
  return {
    generateEnsemble: () => api.generateEnsemble({ ...place, seed: 3, members: 5 }),
    'generateEnsemble far south': () =>
      api.generateEnsemble({ ...place, latitude: -60, longitude: 300, seed: 9, members: 2 }),
    generateMember: () => api.generateMember({ ...place, seed: 3 }, 4),
    ...Object.fromEntries(
      api.DEMO_VARIABLES.map((slug) => [
        `demoTable ${slug}`,
        () => api.demoTable(slug, { days: 50, members: 3, locations: PLACES }),
      ]),
    ),
    demoStore: async () => {
      const store = api.demoStore({ initDate: FIRST_DAY, seasonalMembers: 3 });
      const tables = [
        store.forecasts[0],
        store.forecasts.at(-1),
        store.history.analysis[0],
        store.history['fine-analysis'][0],
      ];
      return [
        await Promise.all(tables.map((file) => file.load())),
        store.grid,
        store.forecasts.map(({ source }) => source),
      ];
    },
  };
}

function named(names, call) {
  return Object.fromEntries(names.map((name) => [name, () => call(name)]));
}

const FORMULAS = {
  ...{
    saturationVaporPressure: [[20], [-5.5]],
    saturationVaporPressureSlope: [[20]],
    meanSaturationVaporPressure: [[12, 25]],
  },
  ...{
    actualVaporPressure: [[12, 25, 60]],
    vaporPressureDeficit: [[12, 25, 60]],
    dewPoint: [
      [20, 55],
      [20, 0],
    ],
  },
  ...{ relativeHumidity: [[20, 11]], atmosphericPressure: [[0], [1800]], psychrometricConstant: [[81.8]] },
  ...{
    extraterrestrialRadiation: [
      [-20, 246],
      [80, 10],
    ],
    clearSkyRadiation: [[38, 100]],
    windSpeedAt2m: [
      [3.2, 10],
      [2, 2],
    ],
  },
  ...{ netShortwaveRadiation: [[14.5]], netRadiation: [[10, 3]] },
};

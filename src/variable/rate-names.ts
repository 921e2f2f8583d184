import { folded, variableByName, withPlainLevel } from './variable-by-name.js';

/** Units of values with a CF standard name of a flux or rate that do not state their units. */
const STANDARD_UNITS: Readonly<Record<string, string>> = {
  precipitation_flux: 'kg m-2 s-1',
  rainfall_flux: 'kg m-2 s-1',
  lwe_precipitation_rate: 'm s-1',
  water_potential_evaporation_flux: 'kg m-2 s-1',
  water_potential_evapotranspiration_flux: 'kg m-2 s-1',
  surface_downwelling_shortwave_flux: 'W m-2',
  surface_downwelling_shortwave_flux_in_air: 'W m-2',
};

/** Other names of rates, which some centres give in metres and others in kilograms. */
const OTHERS = /* @__PURE__ */ new Set(
  (
    'tprate prate prate_sfc mtpr avg_tprate precipitation_rate total_precipitation_rate mean_total_precipitation_rate ' +
    'msdwswrf avg_sdswrf mean_surface_downward_short_wave_radiation_flux'
  )
    .split(' ')
    .map(folded),
);

/** A name which says that values are rates, and its units if it is a CF standard name. */
export interface RateName {
  readonly name: string;
  readonly units: string | undefined;
}

/** The first name which says that values of a variable are rates; undefined if there is no such name. */
export function rateName(names: readonly string[], slug: string): RateName | undefined {
  for (const name of names) {
    const plain = name.trim().toLowerCase();
    const units = Object.hasOwn(STANDARD_UNITS, plain) ? STANDARD_UNITS[plain] : undefined;
    const isRate = units !== undefined || OTHERS.has(folded(name)) || OTHERS.has(withPlainLevel(name));
    if (isRate && variableByName(name)?.slug === slug) return { name, units };
  }
  return undefined;
}

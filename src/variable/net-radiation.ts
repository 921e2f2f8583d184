/**
 * The radiation that the surface gains in a day, from what it takes in as short waves and loses as long waves, all in one unit;
 * NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 40.
 */
export function netRadiation(netShortwave: number, netLongwave: number): number {
  return netShortwave - netLongwave;
}

import type { EarthShape } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';

/** Code table 3.2: half of the axes through the equator and the poles, in metres. */
const SHAPES: Readonly<Record<number, readonly [number, number]>> = {
  0: [6_367_470, 6_367_470],
  2: [6_378_160, 6_356_775],
  4: [6_378_137, 6_356_752.314],
  5: [6_378_137, 6_356_752.314245],
  6: [6_371_229, 6_371_229],
  8: [6_371_200, 6_371_200],
  9: [6_377_563.396, 6_356_256.909],
};

/** Reads the shape of the earth, octets 15 to 30 of section 3. Throws FormatError for shapes that no earth has. */
export function earthShape(section: Octets): EarthShape {
  const code = section.unsigned(15);
  const [equator, pole] = SHAPES[code] ?? statedAxes(section, code);
  if (equator > 1e6 && equator < 1e8 && pole > 0.9 * equator && pole <= equator) {
    return { radius: equator, eccentricity: Math.sqrt(1 - (pole / equator) ** 2) };
  }
  throw messageError(section.place, section.section, {
    problem: 'has an impossible shape of the earth',
    received: `code ${code}, axes of ${equator} and ${pole} m`,
    allowed: 'a sphere, or an ellipsoid that is flat at the poles',
  });
}

function statedAxes(section: Octets, code: number): readonly [number, number] {
  const radius = section.scaled(16) ?? Number.NaN;
  if (code === 1) return [radius, radius];
  const [equator, pole] = [section.scaled(21) ?? Number.NaN, section.scaled(26) ?? Number.NaN];
  if (code === 3) return [1000 * equator, 1000 * pole];
  return code === 7 ? [equator, pole] : [Number.NaN, Number.NaN];
}

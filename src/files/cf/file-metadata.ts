import type { ArrayFile } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import type { TimeAxis } from './time-axis.js';
import { modelPart } from './time-units.js';
import { utcText } from './utc-text.js';

/** Texts of a file that go on to results. */
const NAMES = [
  'title',
  'institution',
  'source',
  'references',
  'license',
  'horizon',
  'version',
  'generation',
  'init_time',
];

/**
 * The texts about the whole that a file's attributes hold, the time that its forecast begins at as `init_time`, and the calendar of its
 * times where it is not the real one.
 */
export function fileMetadata({ attributes }: ArrayFile, { init, calendar }: TimeAxis): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const name of NAMES) {
    const text = textAttribute(attributes, name);
    if (text !== undefined && text !== '') metadata.set(name, text);
  }
  const model = modelPart(calendar);
  if (model !== undefined) metadata.set('calendar', model);
  if (init !== undefined) metadata.set('init_time', utcText(init, model));
  return metadata;
}

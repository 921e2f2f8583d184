import { unusable } from '../errors.js';
import type { EnsembleField, GivenField } from './field.js';
import type { MemberColumn } from './member-column.js';

/** Throws OptionError unless `field` is a field whose members have its type and the length of its cells and days. */
export function assertField(field: GivenField, subject = 'field'): asserts field is EnsembleField {
  const { type, order, firstDay, days, cells, members }: Partial<GivenField> = field ?? {};
  if (type !== 'float32' && type !== 'float64') throw unusable(`${subject}.type`, type, 'float32, float64');
  if (order !== 'day-fastest' && order !== 'cell-fastest') {
    throw unusable(`${subject}.order`, order, 'day-fastest, cell-fastest');
  }
  if (!Number.isSafeInteger(firstDay)) throw unusable(`${subject}.firstDay`, firstDay, 'a day number');
  assertCount(`${subject}.days`, days);
  assertCount(`${subject}.cells`, cells);
  if (!Array.isArray(members) || members.length === 0)
    throw unusable(`${subject}.members`, members, 'a list of at least one');
  const length = cells * days;
  for (let m = 0; m < members.length; m++) {
    const member: MemberColumn | undefined = members[m];
    // Not by instanceof: a page may have two copies of the package.
    const isColumn = typeof member?.addressIn === 'function' && typeof member.copyTo === 'function';
    if (isColumn && member.length === length && (member.type === type || length === 0)) continue;
    const received = isColumn ? `${member.length} values of ${member.type}` : member;
    throw unusable(`${subject}.members[${m}]`, received, `a MemberColumn of ${length} values of ${type}`);
  }
}

function assertCount(subject: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unusable(subject, value, 'a whole number from 0');
}

import { unusable } from '../errors.js';
import type { EnsembleField } from './field.js';
import { MemberColumn } from './member-column.js';

/** Throws OptionError for what is not a field, or contradicts itself: members of another length than its cells and days, or of another type. */
export function assertField(field: EnsembleField, subject = 'field'): void {
  const { type, order, firstDay, days, cells, members }: Partial<EnsembleField> = field ?? {};
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
    const member = members[m];
    if (member instanceof MemberColumn && member.length === length && (member.type === type || length === 0)) continue;
    const received = member instanceof MemberColumn ? `${member.length} values of ${member.type}` : member;
    throw unusable(`${subject}.members[${m}]`, received, `a MemberColumn of ${length} values of ${type}`);
  }
}

function assertCount(subject: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unusable(subject, value, 'a whole number from 0');
}

import { describe, expect, it } from 'vitest';
import { JoinedMembers } from '../../src/batch/joined-members.js';

describe('inputs that become one file', () => {
  it('may have as many members each', () => {
    const joined = new JoinedMembers();
    for (const input of ['a.nc', 'b.nc', 'a.nc']) expect(() => joined.add(input, 31)).not.toThrow();
  });

  it('are refused where they differ in their members, and both are named', () => {
    const joined = new JoinedMembers();
    joined.add('a.nc', 31);
    expect(() => joined.add('b.nc', 21)).toThrow(
      'b.nc: another number of members than a.nc has, and both are to become one file; received 21; allowed: 31, or a name with {input}',
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, escapeText, rounded } from '../../src/plot/svg.js';

describe('coordinates of pictures', () => {
  it('have at most one decimal, that of the nearest tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        expect(rounded(value)).toBe(String(Math.round(value * 10) / 10 + 0));
      }),
    );
    expect([-0.04, -0.3, 0.25, 12, -7.96].map(rounded)).toEqual(['0', '-0.3', '0.3', '12', '-8']);
  });
});

describe('texts of pictures', () => {
  it('are escaped where they have characters of markup, and those that XML does not allow', () => {
    expect(escapeText('M0,1.5L-2,3Z 5 to 95 %')).toBe('M0,1.5L-2,3Z 5 to 95 %');
    expect(escapeText('a<b>&"c"\u0000°')).toBe('a&lt;b&gt;&amp;&quot;c&quot;\uFFFD°');
    expect(element('path', { d: '"/><script>' })).toBe('<path d="&quot;/&gt;&lt;script&gt;"/>');
  });
});

import type { RefObject } from 'preact';
import { shownSpans, type Windows } from '../../plot/panel-data.js';
import { element } from '../../plot/svg.js';
import { themeClass } from '../../plot/theme.js';
import type { Layout } from './layout.js';
import { pressedWindow } from './pressed-window.js';
import { middleOf, windowAtPixel } from './window-at.js';

/**
 * A picture of windows of which the reader chooses one by pointing or by the arrow keys: a slider, which says the chosen
 * one in words. `svg` is the picture, in which the parent draws.
 */
export function WindowFrame(props: {
  readonly svg: RefObject<SVGSVGElement | null>;
  readonly name: string;
  readonly title: string;
  readonly windows: Windows;
  readonly layout: Layout;
  readonly height: number;
  readonly theme: 'light' | 'dark';
  /** The chosen window, or -1, and what it says. */
  readonly current: number;
  readonly words: string;
  readonly onDay: (day: number | undefined) => void;
}) {
  const { svg, name, title, windows, layout, height, theme, current, words, onDay } = props;
  const { width } = layout;
  const count = windows.start.length;
  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const found = windowAtPixel(windows, layout, event.clientX - box.left);
    if (found >= 0) onDay(middleOf(windows, found));
  };
  const press = (event: KeyboardEvent) => {
    const next = pressedWindow(event, current, count);
    if (next !== undefined) onDay(next < 0 ? undefined : middleOf(windows, next));
  };
  return (
    <div
      class="plot"
      tabIndex={0}
      role="slider"
      aria-label={`${name}: choose a window`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={Math.max(0, current)}
      aria-valuetext={words || 'no window chosen; use the arrow keys'}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onDay(undefined)}
      onKeyDown={press}
    >
      <svg
        ref={svg}
        class={themeClass(theme)}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
      >
        <title>{title}</title>
      </svg>
    </div>
  );
}

/** The mark of the chosen window, as SVG; none for -1. */
export function windowMark(windows: Windows, { x }: Layout, current: number, y: number, height: number): string {
  if (current < 0) return '';
  const { from, to } = shownSpans(windows);
  const width = Math.max(2, x(to[current]) - x(from[current]));
  return element('rect', { class: 'cursor', x: x(from[current]), y, width, height });
}

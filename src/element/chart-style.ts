import { styleSheet } from '../plot/theme.js';

/** The theme of pictures in an element: the colours of the page, or of its own scheme. */
export const THEME = 'auto';

/** What surrounds the picture. It has the page's colours, as far as no variable says otherwise. */
const AROUND = `
:host{display:block;position:relative;font:14px/1.45 system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light;background:var(--plume-background,Canvas);color:var(--plume-ink,CanvasText)}
:host([theme=dark]){color-scheme:dark;background:var(--plume-background,Canvas);color:var(--plume-ink,CanvasText)}
svg{display:block;width:100%;height:auto;overflow:visible}
.plot{cursor:crosshair;touch-action:pan-y;border-radius:4px}
.plot:focus{outline:none}
.plot:focus-visible{outline:2px solid var(--plume-focus,light-dark(#0072b2,#56b4e9));outline-offset:2px}
.cursor{fill:currentColor;fill-opacity:.1}
p{margin:.3em 10px;overflow-wrap:anywhere}
.words{min-height:2.9em;margin-top:.6em;white-space:pre-line}
.error{border-inline-start:3px solid var(--plume-threshold,light-dark(#a34782,#e39ac4));padding-inline-start:8px}
details{margin:.3em 10px}
summary{cursor:pointer}
.scroll{overflow:auto;max-height:22em}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
caption{text-align:start;font-weight:600;padding:.4em 0}
th,td{padding:2px 10px 2px 0;text-align:end;white-space:nowrap}
th:first-child{text-align:start;font-weight:400}
thead th{font-weight:600;border-bottom:1px solid currentColor}
[hidden]{display:none}
`;

let sheet: CSSStyleSheet | undefined;

/** The style sheet of all elements. It is constructed: policies that forbid inline styles do not stop it. */
export function chartStyle(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styleSheet(THEME) + AROUND);
  }
  return sheet;
}

/** The colours of a picture: `auto` has the ground of the page, and is dark where the page is. */
export type PlotTheme = 'light' | 'dark' | 'auto';

/** Every theme. */
export const PLOT_THEMES: readonly PlotTheme[] = /* @__PURE__ */ Object.freeze(['light', 'dark', 'auto'] as const);

/** The number of shades of nested bands, from the outermost. */
export const SHADES = 4;

/**
 * Colours by what they are for. Hues are those of Okabe and Ito, which colour-blind people see as different; shades of
 * bands go from light to dark (in the dark theme from dark to light), so that they are in order without colours, too.
 */
interface Palette {
  readonly background: string;
  /** The edge of texts that lie over lines. */
  readonly edge: string;
  readonly ink: string;
  readonly soft: string;
  readonly grid: string;
  readonly shades: readonly string[];
  readonly median: string;
  readonly mean: string;
  readonly member: string;
  readonly single: string;
  readonly climate: string;
  readonly tercile: string;
  readonly threshold: string;
  /** Shares of members below, near and above normal: of amounts, and of other values. */
  readonly wet: readonly [string, string, string];
  readonly warm: readonly [string, string, string];
}

const LIGHT: Palette = {
  background: '#ffffff',
  edge: '#ffffff',
  ink: '#1c1e21',
  soft: '#55595e',
  grid: '#dcdfe3',
  shades: ['#cfe4f3', '#9ccbe8', '#62a8d4', '#2f86be'],
  median: '#00395e',
  mean: '#b34700',
  member: '#33424f',
  single: '#0072b2',
  climate: '#e9e6dc',
  tercile: '#7d786a',
  threshold: '#a34782',
  wet: ['#d9a441', '#eceef0', '#00557f'],
  warm: ['#62a8d4', '#eceef0', '#a83a00'],
};

const DARK: Palette = {
  background: '#16191d',
  edge: '#16191d',
  ink: '#eceff1',
  soft: '#aab1b8',
  grid: '#31373d',
  shades: ['#163a54', '#1d577f', '#2b7cb0', '#56b4e9'],
  median: '#e2f3ff',
  mean: '#f0a93b',
  member: '#c3d0da',
  single: '#56b4e9',
  climate: '#2e2c26',
  tercile: '#a39d8b',
  threshold: '#e39ac4',
  wet: ['#a87416', '#31373d', '#8fd0f5'],
  warm: ['#3a86b8', '#31373d', '#f5b45f'],
};

/** The class of the root element of a picture in a theme. */
export function themeClass(theme: PlotTheme): string {
  return `plumecast-plot plumecast-${theme}`;
}

/**
 * The style sheet of a picture; that of a map has rules for the classes of `fills`. Its rules are only for elements in
 * a picture of the same theme.
 */
export function styleSheet(theme: PlotTheme, fills?: ReadonlyMap<string, string>): string {
  const root = `.plumecast-${theme}`;
  const fixed = [
    `${root}{font-family:system-ui,'Segoe UI',Roboto,Helvetica,Arial,'DejaVu Sans',sans-serif}`,
    `${root} path,${root} line{fill:none;stroke-linecap:round;stroke-linejoin:round}`,
    `${root} .members{stroke-width:.6;stroke-opacity:.32}`,
    `${root} .sample{stroke-width:1.2;stroke-opacity:.6}`,
    `${root} .single{stroke-width:1.6;stroke-opacity:1}`,
    `${root} .median{stroke-width:1.8}`,
    `${root} .mean{stroke-width:1.6;stroke-dasharray:5 4}`,
    `${root} .tercile{stroke-width:1.1;stroke-dasharray:.5 3.5}`,
    `${root} .earlier-median{stroke-width:1.5;stroke-dasharray:2 3.5}`,
    `${root} .seam{stroke-width:1.2;stroke-dasharray:4 3}`,
    `${root} .threshold{stroke-width:1.3;stroke-dasharray:8 3 1.5 3}`,
    `${root} .whisker{stroke-width:1.2}`,
    // Texts over lines have an edge.
    `${root} .seam-text{paint-order:stroke;stroke-width:3;stroke-linejoin:round}`,
    `${root} .share{stroke-width:.4}`,
    `${root} .share-limit{stroke-width:.8;stroke-opacity:.7;stroke-dasharray:3 3}`,
    ...(fills === undefined ? [] : mapRules(root)),
    ...[...(fills ?? [])].map(([name, colour]) => `${root} .${name}{fill:${colour}}`),
  ];
  if (theme !== 'auto') return [...fixed, ...paletteRules(root, theme === 'light' ? LIGHT : DARK)].join('\n');
  // A picture of its own follows the reader's system; one in a page has the text colour and the scheme of the page.
  const own = `${root}:root{color-scheme:light dark}`;
  const scheme = variablesOf(schemePalette(LIGHT, DARK));
  // Programs that know no such colours have the light ones.
  const newer = ['@supports (color:light-dark(#000,#fff)){', ...paletteRules(root, { ...scheme, ...INK }), '}'];
  return [...fixed, own, ...paletteRules(root, LIGHT), ...newer].join('\n');
}

/** What `auto` takes from the page: no ground, its text colour, and shades of that. */
const INK: Pick<Palette, 'background' | 'edge' | 'ink' | 'soft' | 'grid' | 'member'> = {
  background: 'var(--plume-background,none)',
  edge: 'var(--plume-background,Canvas)',
  ink: 'var(--plume-ink,currentColor)',
  soft: 'var(--plume-soft,color-mix(in srgb,currentColor 72%,transparent))',
  grid: 'var(--plume-grid,color-mix(in srgb,currentColor 16%,transparent))',
  member: 'var(--plume-member,currentColor)',
};

/** A palette of two: the colours of a page's scheme. */
function schemePalette(light: Palette, dark: Palette): Palette {
  return mapColours(light, (colour, name, k) => {
    const other = dark[name];
    return `light-dark(${colour},${typeof other === 'string' ? other : other[k]})`;
  });
}

/** A palette whose colours pages can set: `--plume-median`, `--plume-shade-0`, `--plume-wet-below`. */
function variablesOf(palette: Palette): Palette {
  return mapColours(palette, (colour, name, k) => {
    const part =
      typeof palette[name] === 'string' ? name : name === 'shades' ? `shade-${k}` : `${name}-${CATEGORIES[k]}`;
    return `var(--plume-${part},${colour})`;
  });
}

function mapColours(palette: Palette, change: (colour: string, name: keyof Palette, k: number) => string): Palette {
  const entries = (Object.keys(palette) as (keyof Palette)[]).map((name) => {
    const own = palette[name];
    return [name, typeof own === 'string' ? change(own, name, 0) : own.map((colour, k) => change(colour, name, k))];
  });
  return Object.fromEntries(entries);
}

/** Rules of maps, whose cells have the same colours in all themes, and so have the lines on them. */
function mapRules(root: string): string[] {
  return [
    `${root} .cells{shape-rendering:crispEdges}`,
    // Renderers that know only the older name have it as an attribute.
    `@supports (image-rendering:pixelated){${root} .cells{image-rendering:pixelated}}`,
    `${root} .place{stroke:#1c1e21;stroke-width:.6}`,
    `${root} .dots-edge{stroke:#ffffff;stroke-width:3.4}`,
    `${root} .dots{stroke:#1c1e21;stroke-width:2.2}`,
    `${root} .missing-cell{fill:url(#plumecast-missing)}`,
    `${root} .missing-area{fill:${MISSING_COLOURS[0]}}`,
    `${root} .missing-line{stroke:${MISSING_COLOURS[1]};stroke-width:1}`,
    `${root} .coast-edge{stroke:#ffffff;stroke-opacity:.55;stroke-width:2.2}`,
    `${root} .coast{stroke:#1c1e21;stroke-width:.9}`,
    `${root} .border{stroke:#1c1e21;stroke-opacity:.55;stroke-width:.6}`,
    `${root} .graticule{stroke:#55595e;stroke-opacity:.35;stroke-width:.6}`,
    `${root} .frame,${root} .legend-frame{fill:none;stroke:#888d93;stroke-width:1}`,
  ];
}

/** The colours of missing cells: of the area, and of the lines on it. */
export const MISSING_COLOURS: readonly [string, string] = ['#dfe1e4', '#a7adb3'];

const CATEGORIES = ['below', 'normal', 'above'] as const;

function paletteRules(root: string, palette: Palette): string[] {
  const fill = (name: string, colour: string) => `${root} ${name}{fill:${colour}}`;
  const stroke = (name: string, colour: string) => `${root} ${name}{stroke:${colour}}`;
  return [
    fill('.background', palette.background),
    fill('text', palette.ink),
    fill('.soft', palette.soft),
    stroke('.grid', palette.grid),
    stroke('.axis', palette.soft),
    ...palette.shades.map((shade, k) => fill(`.shade${k}`, shade)),
    stroke('.median', palette.median),
    stroke('.whisker', palette.median),
    stroke('.mean', palette.mean),
    fill('.mean-dot', palette.mean),
    stroke('.members', palette.member),
    stroke('.single', palette.single),
    fill('.bar', palette.median),
    fill('.climate', palette.climate),
    stroke('.tercile', palette.tercile),
    stroke('.seam', palette.soft),
    `${root} .earlier{fill:${palette.member};fill-opacity:.16}`,
    stroke('.earlier-median', palette.member),
    `${root} .overlap{fill:${palette.soft};fill-opacity:.13}`,
    `${root} .sampling{fill:${palette.soft};fill-opacity:.5}`,
    stroke('.threshold', palette.threshold),
    fill('.threshold-text', palette.threshold),
    stroke('.seam-text', palette.edge),
    ...(['wet', 'warm'] as const).flatMap((kind) =>
      CATEGORIES.map((category, k) => fill(`.${kind}-${category}`, palette[kind][k])),
    ),
    stroke('.share', palette.soft),
    stroke('.share-limit', palette.ink),
  ];
}

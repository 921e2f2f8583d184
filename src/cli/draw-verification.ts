import type { FigureData, FigureOptions } from '../plot/index.js';
import type { OutputForm } from './output-form.js';
import { type PictureForm, pictureBytes, pictureTheme } from './picture-output.js';

/** Values of flags of `plumecast verify --figure`. */
export interface FigureFlags {
  figure?: FigureOptions['figure'];
  by?: readonly string[];
  lead?: number;
  event?: string[];
  score?: string;
  confidence?: number;
  samples?: number;
  seed?: number;
  title?: string;
  width?: number;
  theme?: 'light' | 'dark' | 'auto';
}

/** Where results of `plumecast verify` go: a table in a form, or a picture. */
export type VerifyOutput =
  | { readonly out: string; readonly form: OutputForm; readonly picture?: undefined }
  | { readonly out: string; readonly form?: undefined; readonly picture: PictureForm };

/** Draws a figure of a verification. What it needs is loaded when it is needed: a command starts sooner without it. */
export async function drawVerification(
  verified: FigureData | readonly FigureData[],
  { by, event: events, theme, figure, score, confidence, samples, seed, title, width }: FigureFlags,
  { out, picture }: Extract<VerifyOutput, { picture: PictureForm }>,
): Promise<Uint8Array> {
  const { verificationFigure } = await import('../plot/index.js');
  const coastlines = figure === 'map' ? (await import('world-atlas/countries-50m.json')).default : undefined;
  const given = { figure, score, confidence, samples, seed, title, width, by, events, coastlines };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const svg = verificationFigure(verified, { ...options, theme: pictureTheme(picture, theme) });
  return pictureBytes(svg, picture, out);
}

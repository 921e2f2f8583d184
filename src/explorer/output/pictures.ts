import { drawMeteogram } from '../../plot/draw-meteogram.js';
import type { PanelData } from '../../plot/panel-data.js';

/** What a picture shows. */
export interface PictureRequest {
  readonly panels: readonly PanelData[];
  readonly title: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

/** Pixels of PNG for each one of the picture. */
const DENSITY = 2;

/** Draws the charts as one picture, as `plumecast plot` does. */
export function drawPicture({ panels, title, theme, width }: PictureRequest): string {
  return drawMeteogram(panels, { title, theme, width, panelHeight: 170 });
}

/** Draws the charts as pixels. */
export async function drawPng(request: PictureRequest): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([drawPicture(request)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * DENSITY;
    canvas.height = image.naturalHeight * DENSITY;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('The picture is too large for this browser: choose fewer variables.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

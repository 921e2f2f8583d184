import type { Grid } from '../../ensemble/grid.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { mapCells } from '../../plot/map/map-cells.js';
import { extentOfCells } from '../../plot/map/map-extent.js';

/** Where places are in the picture of a map whose parallels and meridians are straight. */
export interface MapFrame {
  /** The place at a share of the width and of the height of the picture; undefined beside the map. */
  placeAt(across: number, down: number): Point | undefined;
  /** The shares of the width and of the height at which a place is; undefined where it is not on the map. */
  find(point: Point): readonly [across: number, down: number] | undefined;
}

/** The size of the picture, and the corner and the size of the map in it. */
const FRAME =
  /^<svg[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"[\s\S]*?<g transform="translate\(([\d.]+),([\d.]+)\)"><svg x="0" y="0" width="([\d.]+)" height="([\d.]+)"/;

/** Finds the frame of a picture of a grid, drawn by `weatherMap` as `equirectangular`. */
export function mapFrame(svg: string, grid: Grid): MapFrame | undefined {
  const found = FRAME.exec(svg)?.slice(1).map(Number);
  const extent = extentOfCells(mapCells(grid));
  if (found === undefined || extent === undefined) return undefined;
  const [width, height, left, top, mapWidth, mapHeight] = found;
  const { south, north, west, east } = extent;
  return {
    placeAt(across, down) {
      const x = (across * width - left) / mapWidth;
      const y = (down * height - top) / mapHeight;
      if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return undefined;
      const longitude = west + x * (east - west);
      const wrapped = longitude > 360 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
      return { latitude: north - y * (north - south), longitude: wrapped };
    },
    find({ latitude, longitude }) {
      const wrapped = longitude - 360 * Math.floor((longitude - west) / 360);
      const x = (wrapped - west) / (east - west);
      const y = (north - latitude) / (north - south);
      if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return undefined;
      return [(left + x * mapWidth) / width, (top + y * mapHeight) / height];
    },
  };
}

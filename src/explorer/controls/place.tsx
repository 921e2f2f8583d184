import { useEffect, useId, useState } from 'preact/hooks';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import { Select } from './fields.js';

/** More places than this are not listed. */
const MAX_LISTED = 400;

/** The choice of a place: from a list where it is short, else by its coordinates. */
export function PlaceControl(props: {
  readonly places: Places;
  readonly hasAnyPlace: boolean;
  readonly point: Point | undefined;
  readonly onChange: (point: Point) => void;
}) {
  const { places, hasAnyPlace, point, onChange } = props;
  const count = places.latitude.length;
  if (!hasAnyPlace && count < 2) return null;
  if (!hasAnyPlace && count <= MAX_LISTED) {
    const at = (i: number): Point => ({ latitude: places.latitude[i], longitude: places.longitude[i] });
    const chosen = point === undefined ? 0 : nearest(places, point);
    const choices = Array.from({ length: count }, (_, i) => [String(i), pointText(at(i))] as const);
    return <Select label="Place" value={String(chosen)} choices={choices} onChange={(i) => onChange(at(Number(i)))} />;
  }
  return <PointForm point={point} onChange={onChange} hint={hasAnyPlace ? '' : `The nearest of ${count} places.`} />;
}

function PointForm(props: {
  readonly point: Point | undefined;
  readonly onChange: (point: Point) => void;
  readonly hint: string;
}) {
  const { point, onChange, hint } = props;
  const id = useId();
  const [latitude, setLatitude] = useState('');
  const [longitude, setLongitude] = useState('');
  useEffect(() => {
    setLatitude(String(point?.latitude ?? ''));
    setLongitude(String(point?.longitude ?? ''));
  }, [point?.latitude, point?.longitude]);
  return (
    <form
      class="place"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ latitude: Number(latitude), longitude: Number(longitude) });
      }}
    >
      <div class="pair">
        <div>
          <label for={`${id}n`}>Latitude</label>
          <input
            id={`${id}n`}
            type="number"
            required
            step="any"
            min={-90}
            max={90}
            value={latitude}
            onInput={(event) => setLatitude(event.currentTarget.value)}
          />
        </div>
        <div>
          <label for={`${id}e`}>Longitude</label>
          <input
            id={`${id}e`}
            type="number"
            required
            step="any"
            min={-180}
            max={360}
            value={longitude}
            onInput={(event) => setLongitude(event.currentTarget.value)}
          />
        </div>
      </div>
      <button type="submit">Show this place</button>
      {hint && <p class="hint">{hint}</p>}
    </form>
  );
}

/** A place in degrees: `37.3° N, 79.84° W`. */
function pointText({ latitude, longitude }: Point): string {
  const degrees = (value: number, positive: string, negative: string) =>
    `${Number(Math.abs(value).toFixed(4))}° ${value < 0 ? negative : positive}`;
  return `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`;
}

function nearest({ latitude, longitude }: Places, point: Point): number {
  const distance = (i: number) =>
    Math.abs(latitude[i] - point.latitude) + Math.abs(((longitude[i] - point.longitude + 540) % 360) - 180);
  return [...latitude.keys()].reduce((best, i) => (distance(i) < distance(best) ? i : best), 0);
}

import { useEffect, useState } from 'preact/hooks';
import { findNearest, type Places, type Point } from '../../ensemble/nearest-place.js';
import { placeText } from '../../plot/panel-texts.js';
import { PointFields, Select, shortDegrees } from './fields.js';

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
    const chosen = point === undefined ? 0 : (findNearest(places, point)?.place ?? 0);
    const choices = Array.from({ length: count }, (_, i) => [String(i), placeText(at(i)) ?? ''] as const);
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
  const [latitude, setLatitude] = useState('');
  const [longitude, setLongitude] = useState('');
  useEffect(() => {
    setLatitude(point === undefined ? '' : shortDegrees(point.latitude));
    setLongitude(point === undefined ? '' : shortDegrees(point.longitude));
  }, [point?.latitude, point?.longitude]);
  return (
    <form
      class="place"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ latitude: Number(latitude), longitude: Number(longitude) });
      }}
    >
      <PointFields {...{ latitude, longitude }} onLatitude={setLatitude} onLongitude={setLongitude} />
      <button type="submit">Show this place</button>
      {hint && <p class="hint">{hint}</p>}
    </form>
  );
}

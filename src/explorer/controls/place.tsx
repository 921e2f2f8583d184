import { useEffect, useState } from 'preact/hooks';
import { findNearest, type Places, type Point } from '../../ensemble/nearest-place.js';
import type { Town } from '../../files/places/towns.js';
import { placeText } from '../../plot/panel-texts.js';
import { TownSearch } from '../places/town-search.js';
import { PointFields, Select, shortDegrees } from './fields.js';

/** More places than this are not listed. */
const MAX_LISTED = 400;

/** One degree of a great circle, in kilometres. */
const KILOMETRES = 111.2;

/** The choice of a place: from a list where it is short, else by its coordinates; by the name of a town in both cases. */
export function PlaceControl(props: {
  readonly places: Places;
  readonly hasAnyPlace: boolean;
  readonly point: Point | undefined;
  readonly onChange: (point: Point) => void;
}) {
  const { places, hasAnyPlace, point, onChange } = props;
  const [town, setTown] = useState<Town>();
  const count = places.latitude.length;
  if (!hasAnyPlace && count < 2) return null;
  const search = (
    <>
      <TownSearch
        onChange={(chosen) => {
          setTown(chosen);
          onChange({ latitude: chosen.latitude, longitude: chosen.longitude });
        }}
      />
      {!hasAnyPlace && town !== undefined && <Distance {...{ places, town, point }} />}
    </>
  );
  if (!hasAnyPlace && count <= MAX_LISTED) {
    const at = (i: number): Point => ({ latitude: places.latitude[i], longitude: places.longitude[i] });
    const chosen = point === undefined ? 0 : (findNearest(places, point)?.place ?? 0);
    const choices = Array.from({ length: count }, (_, i) => [String(i), placeText(at(i)) ?? ''] as const);
    return (
      <>
        <Select label="Place" value={String(chosen)} choices={choices} onChange={(i) => onChange(at(Number(i)))} />
        {search}
      </>
    );
  }
  return (
    <>
      {search}
      <PointForm point={point} onChange={onChange} hint={hasAnyPlace ? '' : `The nearest of ${count} places.`} />
    </>
  );
}

/** How far the place that is shown is from the town that it was found by. */
function Distance(props: { readonly places: Places; readonly town: Town; readonly point: Point | undefined }) {
  const { places, town, point } = props;
  const nearest = findNearest(places, town);
  // Another place was chosen since.
  if (nearest === undefined || (point && findNearest(places, point)?.place !== nearest.place)) return null;
  const kilometres = nearest.distance * KILOMETRES;
  const text = kilometres < 10 ? kilometres.toFixed(1) : Math.round(kilometres);
  return (
    <p class="hint">
      The nearest place of the data is {text} km from {town.name}.
    </p>
  );
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

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Point } from '../../ensemble/nearest-place.js';
import { TownSearch } from '../places/town-search.js';
import { PointFields, shortDegrees } from './fields.js';

/** A dialog of the page that is open while it is shown. */
function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly action: string;
  readonly children: ComponentChildren;
}) {
  const { title, onClose, onSubmit, action, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <p class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {action}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Reads the addresses of files. */
export function AddressDialog(props: { readonly onClose: () => void; readonly onOpen: (urls: string[]) => void }) {
  const [text, setText] = useState('');
  const id = useId();
  const urls = text.split(/\s+/).filter(Boolean);
  const wrong = urls.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  return (
    <Dialog
      title="Open files by address"
      action="Open"
      onClose={props.onClose}
      onSubmit={() => urls.length > 0 && wrong === undefined && props.onOpen(urls)}
    >
      <label for={id}>Addresses, one on each line</label>
      <textarea
        id={id}
        rows={3}
        spellcheck={false}
        value={text}
        placeholder="https://example.org/forecast.arrow"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="hint">
        {wrong === undefined
          ? 'The page requests only these addresses. Their server has to allow it (CORS).'
          : `${wrong} is not an address that begins with http:// or https://.`}
      </p>
    </Dialog>
  );
}

/** Reads the address of a server, the key for it, and a place. */
export function ConnectDialog(props: {
  readonly address: string;
  /** A key that is known, as that of the demo. */
  readonly apiKey: string;
  readonly point: Point;
  readonly onClose: () => void;
  readonly onConnect: (address: string, key: string, point: Point) => void;
}) {
  const [address, setAddress] = useState(props.address);
  const [key, setKey] = useState(props.apiKey);
  const [latitude, setLatitude] = useState(shortDegrees(props.point.latitude));
  const [longitude, setLongitude] = useState(shortDegrees(props.point.longitude));
  const id = useId();
  return (
    <Dialog
      title="Connect to a server"
      action="Connect"
      onClose={props.onClose}
      onSubmit={() =>
        props.onConnect(address.trim(), key.trim(), { latitude: Number(latitude), longitude: Number(longitude) })
      }
    >
      <label for={`${id}a`}>Address of a plumecast service</label>
      <input
        id={`${id}a`}
        type="url"
        required
        placeholder="https://example.org/weather"
        value={address}
        onInput={(event) => setAddress(event.currentTarget.value)}
      />
      <label for={`${id}k`}>Key</label>
      <input
        id={`${id}k`}
        type="password"
        autocomplete="off"
        required
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <TownSearch
        onChange={(town) => {
          setLatitude(shortDegrees(town.latitude));
          setLongitude(shortDegrees(town.longitude));
        }}
      />
      <PointFields {...{ latitude, longitude }} onLatitude={setLatitude} onLongitude={setLongitude} />
      <p class="hint">The key stays in the memory of this page: it is in no address, no storage and no copied text.</p>
    </Dialog>
  );
}

import { useId, useRef, useState } from 'preact/hooks';
import { findTowns, type SearchedTown, type Town } from '../../files/places/towns.js';
import { errorText } from '../error-text.js';
import { loadTowns } from './towns.js';

/** More towns than this are not shown: more letters are faster than a long list. */
const MAX_SHOWN = 8;

/** The search for a town by its name. The list of towns is loaded when the field gets the focus. */
export function TownSearch(props: { readonly onChange: (town: Town) => void }) {
  const [text, setText] = useState('');
  const [towns, setTowns] = useState<readonly SearchedTown[]>();
  const [problem, setProblem] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const load = () =>
    loadTowns().then(
      (all) => {
        setTowns(all);
        setProblem(undefined);
      },
      (error) => setProblem(errorText(error)),
    );
  const found = towns === undefined ? [] : findTowns(towns, text, MAX_SHOWN);
  const isShown = isOpen && text.trim() !== '';
  const choose = (town: Town) => {
    setText(`${town.name}, ${town.country}`);
    setIsOpen(false);
    props.onChange(town);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      setIsOpen(true);
      setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Enter' && isShown && found[active] !== undefined) choose(found[active]);
    else if (event.key === 'Escape' && isShown) setIsOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="town-search">
      <label for={id}>Find a town</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isShown && found.length > 0}
        aria-controls={`${id}l`}
        aria-activedescendant={isShown && found.length > 0 ? `${id}o${active}` : undefined}
        value={text}
        onFocus={load}
        onBlur={(event) => {
          if (!list.current?.contains(event.relatedTarget as Node | null)) setIsOpen(false);
        }}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setIsOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="popup" ref={list} hidden={!isShown || found.length === 0}>
        <div id={`${id}l`} role="listbox" aria-label="Towns">
          {found.map((town, i) => (
            <div
              key={`${town.name} ${town.latitude} ${town.longitude}`}
              id={`${id}o${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === active}
              // Before the field loses the focus, which would close the list.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(town);
              }}
            >
              {town.name} <span>{town.country}</span>
            </div>
          ))}
        </div>
        <p class="hint">Towns above 15,000 inhabitants, from GeoNames (CC BY 4.0).</p>
      </div>
      <p class="hint" role="status">
        {hint(isShown, found.length, towns === undefined, problem)}
      </p>
    </div>
  );
}

function hint(isShown: boolean, count: number, isLoading: boolean, problem: string | undefined): string {
  if (problem !== undefined) return problem;
  if (!isShown) return '';
  if (isLoading) return 'Loading the list of towns…';
  return count > 0 ? '' : 'No town above 15,000 inhabitants has a name that begins with this.';
}

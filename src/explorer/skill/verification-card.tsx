import { useEffect, useMemo, useState } from 'preact/hooks';
import { VERIFICATION_FIGURES } from '../../plot/verification/figure-names.js';
import { eventWords, subjectWords } from '../../plot/verification/figure-texts.js';
import { type FigureOptions, verificationFigure } from '../../plot/verification/verification-figure.js';
import { loadSkill } from '../../skill/load-skill.js';
import { mergeVerified, type NamedVerification, readVerified } from '../../skill/pairing/merge-verified.js';
import { verificationScores } from '../../skill/verification-scores.js';
import { Check, Segments, Select } from '../controls/fields.js';
import type { GivenFile } from '../data/file-origin.js';
import { errorText } from '../error-text.js';
import { save } from '../output/save.js';

type Figure = (typeof VERIFICATION_FIGURES)[number];

const TITLES: Readonly<Record<Figure, string>> = {
  reliability: 'Reliability',
  ranks: 'Ranks',
  roc: 'ROC',
  skill: 'Skill by lead',
  map: 'Map',
};

/** The level of intervals, and of the test behind dots. */
const CONFIDENCE = 0.9;
/** More panels than this are not read on a page. */
const MAX_LEADS = 12;

/** The figures of verifications that the reader opened, which are pooled. */
export function VerificationCard(props: {
  readonly states: readonly GivenFile[];
  readonly theme: 'light' | 'dark';
  readonly onClose: () => void;
}) {
  const [opened, setOpened] = useState<NamedVerification>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    setOpened(undefined);
    setError(undefined);
    pooled(props.states).then(setOpened, (cause) => setError(errorText(cause)));
  }, [props.states]);
  return (
    <section class="card verification" aria-label="Verification">
      <div class="title-row">
        <h2>{opened === undefined ? 'How good it was' : `How good it was: ${subjectWords(opened.about)}`}</h2>
        <button type="button" class="quiet" onClick={props.onClose}>
          Close
        </button>
      </div>
      {error !== undefined && (
        <p class="words error" role="alert">
          {error}
        </p>
      )}
      {opened !== undefined && <Figures verified={opened} theme={props.theme} />}
    </section>
  );
}

/** All states as one. Throws as `readVerified` and `mergeVerified` do. */
async function pooled(states: readonly GivenFile[]): Promise<NamedVerification> {
  const skill = await loadSkill();
  const read = await Promise.all(
    states.map(async ({ path, content }) => readVerified(skill, await content.text(), path)),
  );
  return mergeVerified(read);
}

function Figures({ verified, theme }: { readonly verified: NamedVerification; readonly theme: 'light' | 'dark' }) {
  const [figure, setFigure] = useState<Figure>('reliability');
  const [event, setEvent] = useState('');
  const [isByLead, setByLead] = useState(false);
  const [hasIntervals, setIntervals] = useState(false);
  const { verification, about } = verified;
  const labels = useMemo(() => {
    const known = verification.groups.map((group) => group.labels);
    const leads = new Set(known.map(({ lead }) => lead));
    return { hasPlaces: known.every(({ latitude }) => typeof latitude === 'number'), leads: leads.size };
  }, [verified]);
  const events = useMemo(
    () => verificationScores(verification, { by: [] }).flatMap((group) => group.events.map((each) => each.event)),
    [verified],
  );
  const ofEvents = figure === 'reliability' || figure === 'roc';
  const isTested = figure === 'skill' || figure === 'map';
  const options: FigureOptions = {
    ...{ figure, theme, width: 880 },
    ...(ofEvents && event !== '' && { events: [event] }),
    ...(!isTested && { by: isByLead ? ['lead'] : [] }),
    ...(isTested && hasIntervals && { confidence: CONFIDENCE }),
  };
  const drawn = useMemo(() => {
    try {
      return { svg: verificationFigure(verified, options) };
    } catch (cause) {
      return { error: errorText(cause) };
    }
  }, [verified, JSON.stringify(options)]);
  const url = useMemo(
    () => drawn.svg && URL.createObjectURL(new Blob([drawn.svg], { type: 'image/svg+xml' })),
    [drawn.svg],
  );
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  const shown = VERIFICATION_FIGURES.filter((name) => name !== 'map' || labels.hasPlaces);
  return (
    <>
      <div class="figure-controls">
        <Segments
          label="Figure"
          value={figure}
          choices={shown.map((name) => [name, TITLES[name]] as const)}
          onChange={setFigure}
        />
        {ofEvents && events.length > 1 && (
          <Select
            label="Event"
            value={event}
            choices={[
              ['', 'all'],
              ...events.map((name) => {
                const { categories } = verification.options;
                return [name, eventWords(name, { about, categories })] as const;
              }),
            ]}
            onChange={setEvent}
          />
        )}
        {!isTested && labels.leads > 1 && labels.leads <= MAX_LEADS && (
          <Check checked={isByLead} onChange={setByLead}>
            each lead by itself
          </Check>
        )}
        {isTested && (
          <Check checked={hasIntervals} onChange={setIntervals}>
            intervals of 90 %
          </Check>
        )}
      </div>
      {drawn.error !== undefined && (
        <p class="words error" role="alert">
          {drawn.error}
        </p>
      )}
      {url !== undefined && drawn.svg !== undefined && (
        <>
          <img class="figure" src={url} alt={descriptionOf(drawn.svg)} />
          <p class="buttons">
            <button
              type="button"
              onClick={() => save(`${figure}.svg`, new Blob([drawn.svg], { type: 'image/svg+xml' }))}
            >
              Download the picture
            </button>
          </p>
        </>
      )}
    </>
  );
}

/** What a picture says of itself. */
function descriptionOf(svg: string): string {
  const text = /<desc[^>]*>([^<]*)</.exec(svg)?.[1] ?? '';
  return new DOMParser().parseFromString(text, 'text/html').documentElement.textContent ?? text;
}

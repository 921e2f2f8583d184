/** What to ask for, in the words of Open-Meteo's API. */
export interface AnswerOptions {
  /** Latitude and longitude. */
  locations?: readonly (readonly [number, number])[];
  section?: 'hourly' | 'daily' | 'six_hourly';
  /** The number of times, from 2026-03-02 00:00 on, local. */
  times?: number;
  /** Units by name. */
  variables?: Readonly<Record<string, string>>;
  /** Of the first model; each further one has a member more, unless all have but one. */
  members?: number;
  models?: readonly string[];
  timezone?: string;
  utcOffset?: number;
  unixtime?: boolean;
  /** The value of a column at a time. */
  value?: (at: { location: number; time: number; member: number; variable: string; model: number }) => number | null;
}

interface Answer {
  latitude: number;
  longitude: number;
  elevation: number;
  utc_offset_seconds: number;
  timezone: string;
  timezone_abbreviation: string;
  location_id?: number;
  [section: string]: unknown;
}

type Series = Record<string, (number | string | null)[]>;

const START = Date.UTC(2026, 2, 2) / 1000;
const STEPS = { hourly: 3_600, six_hourly: 21_600, daily: 86_400 };

/** The answers of Open-Meteo to a request, one for each location, as its JSON has them. */
export function openMeteoAnswers(options: AnswerOptions = {}): Answer[] {
  const { locations = [[52.52, 13.419998]], section = 'hourly', times = 72, members = 3, models = [''] } = options;
  const { variables = { precipitation: 'mm' }, utcOffset = 0, timezone = 'GMT', unixtime = false } = options;
  const { value = ({ time, member }) => (time % 24) / 10 + member } = options;
  return locations.map(([latitude, longitude], location) => {
    const units: Record<string, string> = { time: unixtime ? 'unixtime' : 'iso8601' };
    const series: Series = { time: [] };
    for (let time = 0; time < times; time++) {
      const local = START + time * STEPS[section];
      const text = new Date(1000 * local).toISOString().slice(0, section === 'daily' ? 10 : 16);
      series.time.push(unixtime ? local - utcOffset : text);
    }
    for (const [model, suffix] of models.entries()) {
      for (const [variable, unit] of Object.entries(variables)) {
        for (let member = 0; member < (members === 1 ? 1 : members + model); member++) {
          const marked = member === 0 ? variable : `${variable}_member${String(member).padStart(2, '0')}`;
          const name = suffix === '' ? marked : `${marked}_${suffix}`;
          units[name] = unit;
          series[name] = series.time.map((_, time) => value({ location, time, member, variable, model }));
        }
      }
    }
    return {
      ...{ latitude, longitude, generationtime_ms: 0.12, utc_offset_seconds: utcOffset },
      ...{ timezone, timezone_abbreviation: timezone, elevation: 38 },
      ...(location > 0 && { location_id: location }),
      ...{ [`${section}_units`]: units, [section]: series },
    };
  });
}

/** The JSON of answers: an object, or a list of them. */
export function openMeteoJson(options?: AnswerOptions): string {
  const answers = openMeteoAnswers(options);
  return JSON.stringify(answers.length === 1 ? answers[0] : answers);
}

/** The CSV of answers (`format=csv`): the block of locations, a blank line, the rows. */
export function openMeteoCsv(options: AnswerOptions = {}): string {
  const answers = openMeteoAnswers(options);
  const { section = 'hourly' } = options;
  const isMulti = answers.length > 1;
  const id = (cells: readonly unknown[], location: number | string) => (isMulti ? [location, ...cells] : cells).join();
  const head = ['latitude', 'longitude', 'elevation', 'utc_offset_seconds', 'timezone', 'timezone_abbreviation'];
  const lines = [id(head, 'location_id')];
  for (const [i, answer] of answers.entries())
    lines.push(
      id(
        head.map((name) => answer[name]),
        i,
      ),
    );
  const [series, units] = [answers[0][section] as Series, answers[0][`${section}_units`] as Record<string, string>];
  const names = Object.keys(series);
  lines.push(
    '',
    id(
      names.map((name) => (name === 'time' ? name : `${name} (${units[name]})`)),
      'location_id',
    ),
  );
  for (const [i, answer] of answers.entries()) {
    const own = answer[section] as Series;
    for (let row = 0; row < own.time.length; row++) {
      lines.push(
        id(
          names.map((name) => own[name][row] ?? 'NaN'),
          i,
        ),
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

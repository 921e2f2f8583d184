import type { Granularity } from '../../period/window-table.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { type AnswerForm, FORMS } from './answer-forms.js';
import { downscalingParameter, granularityParameter } from './parameters/choice.js';
import { latitudeParameter, longitudeParameter } from './parameters/coordinate.js';
import { endDateParameter, startDateParameter } from './parameters/date.js';
import type { Parameter } from './parameters/parameter.js';
import { quantilesParameter } from './parameters/quantiles.js';
import { variablesParameter } from './parameters/variables.js';

/** One path that answers with data: its route, its parameters and its documentation. */
export interface Endpoint {
  /** Unique; names the endpoint in metrics, too. */
  readonly operationId: string;
  /** Its last segment is `{id}` where it takes the place of a stored location. */
  readonly path: string;
  readonly generation: 'current' | 'legacy';
  readonly family: 'forecast' | 'history' | 'climatology';
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly form: AnswerForm;
  /** The horizon of a legacy forecast. */
  readonly horizon?: HorizonName;
}

type Plan = Omit<Endpoint, 'generation'>;

/** Every endpoint that answers with data; `extra` are variables besides the built-in ones. */
export function createEndpoints(extra: readonly Variable[] = []): Endpoint[] {
  const variables = variablesParameter(extra);
  return [
    ...currentEndpoints(variables).map((plan) => ({ ...plan, generation: 'current' as const })),
    ...legacyEndpoints(extra).flatMap(legacyVariants),
  ];
}

function currentEndpoints(variables: Parameter<'var'>): Plan[] {
  const place = [latitudeParameter(), longitudeParameter(), variables];
  const timeline = [
    ...place,
    startDateParameter("the timeline's first day"),
    endDateParameter("the timeline's last day"),
    downscalingParameter(),
  ];
  const granularity = granularityParameter(['daily', 'weekly', 'monthly']);
  return [
    {
      operationId: 'forecast',
      path: '/v2/forecast',
      family: 'forecast',
      summary: 'Members of the blended forecast',
      description:
        'The raw ensemble members, day by day, of the three horizons blended to one timeline of about 6 months.',
      parameters: timeline,
      form: FORMS.members,
    },
    {
      operationId: 'forecastStatistics',
      path: '/v2/forecast/statistics',
      family: 'forecast',
      summary: 'Mean and quantiles of the blended forecast',
      description:
        "Each member's days are combined by window; the mean and the quantiles are those of the members' windows. Complete windows only.",
      parameters: [...timeline, quantilesParameter(), granularity],
      form: FORMS.statistics,
    },
    {
      operationId: 'history',
      path: '/v2/history',
      family: 'history',
      summary: 'What was observed or reanalysed',
      description: 'Daily values from 1995 on, or their weekly or monthly totals or means. Complete windows only.',
      parameters: [
        ...place,
        startDateParameter('365 days before the last day of the response'),
        endDateParameter('the last day available'),
        downscalingParameter(),
        granularity,
      ],
      form: FORMS.history,
    },
  ];
}

function legacyEndpoints(extra: readonly Variable[]): Plan[] {
  const ofHistory = variablesParameter(extra, 'history');
  const forecast = (horizon: HorizonName, span: string, choices: readonly Granularity[], note: string): Plan => ({
    operationId: `legacy${pascal(horizon)}Forecast`,
    path: `/v1/forecast/${horizon}`,
    family: 'forecast',
    summary: `The ${horizon} forecast: ${span}`,
    description: `Mean and fixed quantiles of one horizon by itself. ${note}`,
    parameters: [variablesParameter(extra, horizon), granularityParameter(choices)],
    form: FORMS.legacyForecast,
    horizon,
  });
  const terciles = 'responses add tercile probabilities; maximum wind speed and gust are not available.';
  return [
    forecast(
      'short-term',
      'about 15 days',
      ['daily'],
      'The maximum wind gust is available for the first 10 days only.',
    ),
    forecast('subseasonal', 'weeks 2 to 6', ['daily', 'weekly'], `Weekly ${terciles}`),
    forecast('seasonal', 'months 1 to 6', ['daily', 'monthly'], `Monthly ${terciles}`),
    {
      operationId: 'legacyHistory',
      path: '/v1/history',
      family: 'history',
      summary: 'The history of the last 366 days',
      description: 'Daily values at the nearest point of the 0.25 degree grid, where that was pre-loaded.',
      parameters: [ofHistory],
      form: FORMS.legacyHistory,
    },
    {
      operationId: 'legacyClimatology',
      path: '/v1/climatology',
      family: 'climatology',
      summary: 'The climatology of 1993 to 2022',
      description: 'Fixed quantiles of the years 1993 to 2022 for each day, week or month of the year.',
      parameters: [ofHistory, granularityParameter(['daily', 'weekly', 'monthly'])],
      form: FORMS.legacyClimatology,
    },
  ];
}

/** By coordinates and by stored location, each with the prefix `/v1` and without. */
function legacyVariants(plan: Plan): Endpoint[] {
  const generation = 'legacy';
  const byPoint: Endpoint = {
    ...plan,
    generation,
    parameters: [latitudeParameter(), longitudeParameter(), ...plan.parameters],
  };
  const byLocation: Endpoint = {
    ...plan,
    generation,
    operationId: `${plan.operationId}OfLocation`,
    path: `${plan.path}/location/{id}`,
    summary: `${plan.summary}, of a stored location`,
  };
  return [byPoint, byLocation].flatMap((endpoint) => [endpoint, withoutPrefix(endpoint)]);
}

function withoutPrefix(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    operationId: `${endpoint.operationId}Unprefixed`,
    path: endpoint.path.slice('/v1'.length),
    description: `The same as \`${endpoint.path}\`, for existing integrations. ${endpoint.description}`,
  };
}

function pascal(words: string): string {
  return words.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

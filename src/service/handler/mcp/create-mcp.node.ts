import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../../../package.json';
import type { Point } from '../../../ensemble/nearest-place.js';
import { loadPackage } from '../../../files/load-package.js';
import { isNameOf, type SearchedTown, type Town } from '../../../files/places/towns.js';
import { shorten } from '../../problem-error.js';
import { argumentProblems } from './check-arguments.js';
import { describeAnswer, describeProblem } from './describe-answer.js';
import type { Mcp, McpMessage, McpReply } from './mcp.js';
import { DATA_TOOLS, type DataTool, FIND_PLACE, PATTERN_WORDS, type ToolArguments, toolQuery } from './tools.js';
import { loadTowns, type TownList } from './towns.node.js';

const INSTRUCTIONS =
  'Ensemble weather forecasts, history and climatology of places. Say the unit, the run and the source with each number, and that ' +
  'windows without skill are no better than the climatology.';

const LISTED = [...DATA_TOOLS, FIND_PLACE].map(({ name, title, description, inputSchema }) => {
  return { name, title, description, inputSchema, annotations: { readOnlyHint: true, openWorldHint: false } };
});

/** What an assistant gave cannot be used: the text is for it. */
class ToolProblem extends Error {}

/**
 * The service for assistants, by the Model Context Protocol: the option `mcp` of `createHandler`, which then answers `POST /mcp`.
 * Messages are answered one by one as JSON, without sessions. The tools are `forecast_statistics`, `history`, `climatology` and
 * `find_place`; data come from the endpoints, for the key of the message. Rejects with PackageError where
 * `@modelcontextprotocol/sdk` is not installed.
 */
export async function createMcp(): Promise<Mcp> {
  const sdk = await loadPackage('@modelcontextprotocol/sdk', 'mcp', loadSdk);
  const { Server, Transport, CallToolRequestSchema, ListToolsRequestSchema } = sdk;
  const jsonSchemaValidator = new sdk.AjvJsonSchemaValidator();
  const tools = new Map(LISTED.map(({ name, inputSchema }) => [name, inputSchema]));
  const towns = await loadTowns();

  const call = async (name: string, given: Record<string, unknown>, message: McpMessage): Promise<CallToolResult> => {
    const schema = tools.get(name);
    if (schema === undefined) {
      const known = [...tools.keys()].join(', ');
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `tool ${name} is not known; allowed: ${known}`);
    }
    const problems = argumentProblems(given, schema, PATTERN_WORDS);
    if (problems !== undefined) throw new ToolProblem(`The arguments of ${name} cannot be used: ${problems}`);
    const tool = DATA_TOOLS.find((each) => each.name === name);
    return tool === undefined
      ? findPlace(towns, given as unknown as PlaceArguments)
      : ask(tool, given as unknown as ToolArguments, message);
  };

  const ask = async (tool: DataTool, given: ToolArguments, message: McpMessage): Promise<CallToolResult> => {
    const { point, name } = pointOf(given, towns);
    const query = toolQuery(given, point);
    const hasSkill = tool.path.endsWith('/statistics') && (given.skill ?? (await message.hasRecord()));
    if (hasSkill) query.set('skill', 'true');
    const answer = await message.ask(tool.path, query);
    const body = { ...answer.body };
    if (answer.status !== 200) {
      return { isError: true, content: [{ type: 'text', text: describeProblem(answer) }], structuredContent: body };
    }
    const place = name === undefined ? [] : [`Place: ${name}.`];
    return result([...place, describeAnswer(tool.title, answer)].join('\n'), body);
  };

  return {
    async answer(message) {
      // One message is one request of its key.
      if (isBatch(message.body)) return batchReply();
      const wrong = wrongCall(message.body, [...tools.keys()]);
      if (wrong !== undefined) return wrong;
      const server = new Server(
        { name: 'plumecast', version },
        {
          ...{ capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
        },
      );
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED.map((tool) => ({ ...tool })) }));
      server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
        try {
          return await call(name, given, message);
        } catch (error) {
          if (!(error instanceof ToolProblem)) throw error;
          return { isError: true, content: [{ type: 'text', text: error.message }] };
        }
      });
      const transport = new Transport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        const response = await transport.handleRequest(requestOf(message));
        const body = new Uint8Array(await response.arrayBuffer());
        return { status: response.status, body: body.byteLength === 0 ? undefined : body };
      } finally {
        await server.close();
      }
    },
  };
}

async function loadSdk() {
  const [{ Server }, transport, types, { AjvJsonSchemaValidator }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('@modelcontextprotocol/sdk/validation/ajv'),
  ]);
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } = types;
  const Transport = transport.WebStandardStreamableHTTPServerTransport;
  const schemas = { CallToolRequestSchema, ListToolsRequestSchema };
  return { Server, Transport, ...schemas, ErrorCode, McpError, AjvJsonSchemaValidator };
}

/** Whether a body is a list: its first character that is no blank. */
function isBatch(body: Uint8Array): boolean {
  return body[body.findIndex((byte) => !BLANKS.has(byte))] === 0x5b;
}

const BLANKS: ReadonlySet<number> = /* @__PURE__ */ new Set([0x20, 0x09, 0x0a, 0x0d]);

function batchReply(): McpReply {
  const error = { code: -32600, message: 'Invalid Request: send one message at a time' };
  return { status: 400, body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', error, id: null })) };
}

/**
 * The reply to a call that names no tool, or whose arguments are none, in our words: the SDK lists the faults of its own
 * schemas. Undefined for all else, which the SDK answers.
 */
function wrongCall(body: Uint8Array, tools: readonly string[]): McpReply | undefined {
  let message: { id?: unknown; method?: unknown; params?: { name?: unknown; arguments?: unknown } } | null;
  try {
    message = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const id = message?.id;
  if (message?.method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const { name, arguments: given = {} } = message.params ?? {};
  const received = (value: unknown) => (value === undefined ? '' : `; received ${shorten(JSON.stringify(value))}`);
  const problem =
    typeof name !== 'string'
      ? `params.name is not the name of a tool${received(name)}; allowed: ${tools.join(', ')}`
      : typeof given !== 'object' || given === null || Array.isArray(given)
        ? `params.arguments is no object${received(given)}; allowed: an object with the arguments of ${shorten(name)}`
        : undefined;
  if (problem === undefined) return undefined;
  const error = { code: -32602, message: problem };
  return { status: 200, body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, error })) };
}

const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/** The message as the SDK takes it. */
function requestOf(message: McpMessage): Request {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = message.header(name);
    if (value !== null) headers.set(name, value);
  }
  const body = message.body as Uint8Array<ArrayBuffer>;
  return new Request('http://localhost/mcp', { method: 'POST', headers, body });
}

/** The text is for people, and the JSON for programs: as a text too, as many assistants are shown nothing else. */
function result(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  const json = JSON.stringify(structuredContent);
  return {
    structuredContent,
    content: [
      { type: 'text', text },
      { type: 'text', text: json },
    ],
  };
}

interface PlaceArguments {
  readonly name: string;
  readonly max?: number;
}

/** Where a call is about, and the name of the town where it gave one. */
function pointOf(given: ToolArguments, towns: TownList | undefined): { point: Point; name?: string } {
  const { latitude, longitude, place } = given;
  const hasPoint = latitude !== undefined && longitude !== undefined;
  if (hasPoint && place === undefined) return { point: { latitude, longitude } };
  if (place === undefined || latitude !== undefined || longitude !== undefined) {
    throw new ToolProblem('The place is not clear: give latitude and longitude, or place.');
  }
  const town = townOf(place, towns);
  return { point: town, name: townText(town) };
}

/** The town that a text names: never one of several, and never one whose name is longer. */
function townOf(place: string, towns: TownList | undefined): SearchedTown {
  const found = requireTowns(towns).find(place, MAX_FOUND);
  const named = found.filter((town) => isNameOf(place, town));
  if (named.length === 1) return named[0];
  const choices = (named.length > 0 ? named : found).slice(0, MAX_CHOICES).map(townText).join('; ');
  if (named.length > 1) {
    throw new ToolProblem(
      `place "${place}" is ${named.length} towns; give one with its country, or coordinates: ${choices}`,
    );
  }
  const nearest = choices === '' ? '' : ` Similar: ${choices}.`;
  throw new ToolProblem(
    `place "${place}" is not among the towns of more than 15,000 inhabitants; give latitude and longitude.${nearest}`,
  );
}

const MAX_FOUND = 1000;
const MAX_CHOICES = 8;

function requireTowns(towns: TownList | undefined): TownList {
  if (towns !== undefined) return towns;
  throw new ToolProblem('This service has no list of towns; give latitude and longitude.');
}

function findPlace(towns: TownList | undefined, { name, max = 10 }: PlaceArguments): CallToolResult {
  const found = requireTowns(towns).find(name, max);
  const places = found.map(({ name, country, latitude, longitude }) => ({ name, country, latitude, longitude }));
  const lines = places.map(townText);
  const text = lines.length > 0 ? lines.join('\n') : `No town of more than 15,000 inhabitants begins with "${name}".`;
  return result(`${text}\nSource: GeoNames, CC BY 4.0`, { places, attribution: 'GeoNames, CC BY 4.0' });
}

function townText({ name, country, latitude, longitude }: Town): string {
  return `${name}, ${country} (${latitude}, ${longitude})`;
}

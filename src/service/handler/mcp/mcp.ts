/** The service for assistants: the option `mcp` of `createHandler`. `createMcp` of `plumecast/service/node` makes one. */
export interface Mcp {
  /** Answers a message of the Model Context Protocol. What it rejects with is answered as an error of the service. */
  answer(message: McpMessage): Promise<McpReply>;
}

/** A message to `POST /mcp`, whose key is valid. */
export interface McpMessage {
  /** The body as it came. */
  readonly body: Uint8Array;
  header(name: 'accept' | 'content-type' | 'mcp-protocol-version'): string | null;
  /** Answers a request for data, such as `/v2/history` and its query, with the key of the message. */
  ask(path: string, query: URLSearchParams): Promise<McpAnswer>;
  /** Whether the store has a record of how good issued forecasts were. */
  hasRecord(): Promise<boolean>;
}

/** The answer to a request for data. */
export interface McpAnswer {
  readonly status: number;
  /** The JSON of the response: of other statuses than 200 a problem. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The response to a message. */
export interface McpReply {
  readonly status: number;
  /** Undefined where the status allows none. */
  readonly body: Uint8Array | undefined;
}

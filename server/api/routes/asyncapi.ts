import { type ZodType, z } from 'zod';
import { createSchema } from 'zod-openapi';
import {
  socketCommandSchema,
  socketReplySchemas,
  streamDataSchemas,
  streamQuerySchema,
} from '#lib/api/schemas/stream.ts';
import { API_VERSION } from '../../platform/config/version.ts';

type Schemas = Record<string, unknown>;

const DESCRIPTION = `Live updates over a WebSocket; \`/v1/openapi.json\` describes the HTTP API. \`GET /v1/stream\` sends the same events, each with the \`data\` of its message, as server-sent events.

Programs send \`x-api-key\`, and \`Authorization: Bearer\` for a signed-in wallet, with the handshake. Browsers cannot: their first message is \`authenticate\`. Order events of the caller come unasked; \`subscribe\` adds markets. A client that is far behind gets no books and prices until it has caught up, then a snapshot; one that is 256 KiB behind is disconnected.`;

const EVENTS: Record<keyof typeof streamDataSchemas, string> = {
  order: 'A step of an order that the caller may see; `id` is where a stream resumes.',
  market: 'A market that changed.',
  book: 'An order book, or what changed in it, at most ten times a second.',
  trade: 'A trade at the exchange, by any trader.',
  price: 'The best prices of a market, at most ten times a second.',
  account: 'USDC or outcome tokens moved to or from the signed-in wallet or its smart account.',
  saved: 'The signed-in wallet changed what it saved in a browser.',
  reset: 'More order events were missed than are sent again: read the orders.',
};

const REPLIES: Record<keyof typeof socketReplySchemas, string> = {
  ready: 'The credentials are accepted.',
  subscribed: 'The response to `subscribe`.',
  unsubscribed: 'The response to `unsubscribe`.',
  pong: 'The response to `ping`.',
  error: 'A message was refused; without valid credentials the connection ends.',
};

const COMMANDS: Record<string, string> = {
  authenticate: 'Credentials, where the handshake had none; within ten seconds.',
  subscribe: 'Follow markets, at most 200 in all.',
  unsubscribe: 'Follow markets no longer.',
  ping: 'Asks for a `pong`, for clients that cannot see the pings of the protocol.',
};

type Message = { name: string; summary: string; payload: ZodType; io: 'input' | 'output' };

/** What the service sends and what it takes, from the schemas that both are checked with. */
function listMessages(): { sent: Message[]; received: Message[] } {
  const events = Object.entries(streamDataSchemas).map(([name, data]): Message => {
    const id = name === 'order' ? { id: z.string() } : {};
    const payload = z.object({ type: z.literal(name), ...id, data });
    return { name, summary: EVENTS[name as keyof typeof EVENTS], payload, io: 'output' };
  });
  const replies = Object.entries(socketReplySchemas).map(
    ([name, payload]): Message => ({
      name,
      summary: REPLIES[name as keyof typeof REPLIES],
      payload,
      io: 'output',
    }),
  );
  const received = socketCommandSchema.options.map((payload): Message => {
    const name = payload.shape.type.value;
    return { name, summary: COMMANDS[name] ?? name, payload, io: 'input' };
  });
  return { sent: [...events, ...replies], received };
}

/** AsyncAPI ignores what is beside a reference, so both become parts of a whole. */
function withPlainRefs<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withPlainRefs) as Value;
  const entries = Object.entries(value).map(([key, part]) => [key, withPlainRefs<unknown>(part)]);
  const { $ref, ...beside } = Object.fromEntries(entries) as Record<string, unknown>;
  if ($ref === undefined) return beside as Value;
  const isAlone = Object.keys(beside).length === 0;
  return (isAlone ? { $ref } : { allOf: [{ $ref }], ...beside }) as Value;
}

/** Keeps the components of every schema together, as one document refers to them. */
function createSchemaCollector() {
  const schemas: Schemas = {};
  return {
    schemas,
    add: (payload: ZodType, io: 'input' | 'output') => {
      const { schema, components } = createSchema(payload, {
        io,
        opts: {
          // Messages may gain fields, so clients must accept unknown ones.
          override({ jsonSchema }) {
            if (io === 'output' && jsonSchema.additionalProperties === false) {
              delete jsonSchema.additionalProperties;
            }
          },
        },
      });
      for (const [name, component] of Object.entries(components)) {
        schemas[name] = withPlainRefs(component);
      }
      return withPlainRefs(schema);
    },
  };
}

/** The AsyncAPI 3.0 document of `/v1/ws`. */
export function describeSocket(publicBaseUrl: string) {
  const { sent, received } = listMessages();
  const { schemas, add } = createSchemaCollector();
  const { protocol, host } = new URL(publicBaseUrl);
  const messageOf = ({ name, summary, payload, io }: Message) => [
    name,
    { name, summary, payload: add(payload, io) },
  ];
  const channelRef = { $ref: '#/channels/socket' };
  const named = (messages: readonly Message[]) =>
    messages.map(({ name }) => ({ $ref: `#/channels/socket/messages/${name}` }));
  const all = [...sent, ...received];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Crossbook live updates',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: 'application/json',
    servers: {
      crossbook: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        security: [{ $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: {
      socket: {
        address: '/v1/ws',
        title: 'Live updates',
        messages: Object.fromEntries(
          all.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        bindings: { ws: { method: 'GET', query: add(streamQuerySchema, 'input') } },
      },
    },
    operations: {
      sendUpdates: {
        action: 'send',
        channel: channelRef,
        summary: 'What the service sends.',
        messages: named(sent),
      },
      receiveCommands: {
        action: 'receive',
        channel: channelRef,
        summary: 'What a client may send.',
        messages: named(received),
      },
    },
    components: {
      messages: Object.fromEntries(all.map(messageOf)) as Record<string, object>,
      schemas,
      securitySchemes: {
        apiKey: { type: 'httpApiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
}

import type { RawData, WebSocket } from 'ws';
import { type SocketCommand, socketCommandSchema } from '#lib/api/schemas/stream.ts';
import type { OpenStream } from '../../domain/notifications/stream/streamHub.ts';
import { ServiceError } from '../../platform/errors.ts';
import { problemsOf } from '../middleware/input.ts';
import { newRequestId, problemOf, toServiceError } from '../middleware/problems.ts';
import { endSocket, GOING_AWAY } from './socketOutlet.ts';

/** The status with which a connection ends that broke a rule. */
const POLICY = 1008;
const AUTHENTICATE_MS = 10_000;
/** Commands that a client may send at once, and how fast it may send more. */
const MOST_COMMANDS = 60;
const COMMAND_EVERY_MS = 100;

export type Credentials = Extract<SocketCommand, { type: 'authenticate' }>;

/** Opens the stream of credentials that were accepted. */
type Opening = () => Promise<OpenStream>;

type SessionOptions = {
  publicBaseUrl: string;
  /** By the credentials of the handshake; undefined when they come in a message. */
  opening: Opening | undefined;
  /** @throws {SocketRefusal} */
  authenticate: (credentials: Credentials) => Promise<Opening>;
  onAuthenticated: () => void;
};

/** The credentials of a message were refused with this problem document. */
export class SocketRefusal extends Error {
  override readonly name = 'SocketRefusal';
  readonly problem: string;

  constructor(problem: string) {
    super('refused');
    this.problem = problem;
  }
}

/** Carries out what a client sends over one connection, one command after the other. */
export function runSocketSession(socket: WebSocket, options: SessionOptions): void {
  let stream: OpenStream | undefined;
  let fullAt = 0;

  const reply = (type: string, ref: string | undefined, data?: unknown) =>
    socket.send(JSON.stringify({ type, ref, data }));

  function refuse(error: unknown, ref: string | undefined): void {
    const problem =
      error instanceof SocketRefusal
        ? error.problem
        : problemOf(toServiceError(error), {
            requestId: newRequestId(),
            publicBaseUrl: options.publicBaseUrl,
          }).body;
    reply('error', ref, JSON.parse(problem));
  }

  /** Whether one more command is within the limit. */
  function spend(): boolean {
    const now = performance.now();
    fullAt = Math.max(fullAt, now) + COMMAND_EVERY_MS;
    return fullAt - now <= MOST_COMMANDS * COMMAND_EVERY_MS;
  }

  /** Tells the client that it is accepted before the first message of its stream. */
  async function open(opening: Opening, ref: string | undefined): Promise<void> {
    reply('ready', ref);
    stream = await opening();
    if (socket.readyState !== socket.OPEN) stream.close();
  }

  async function openAtOnce(opening: Opening): Promise<void> {
    try {
      await open(opening, undefined);
    } catch (error) {
      refuse(error, undefined);
      endSocket(socket, GOING_AWAY, 'not opened');
    }
  }

  async function authenticate(credentials: Credentials): Promise<void> {
    if (stream) throw new ServiceError('invalid_request', 'This connection is authenticated.');
    const opening = await options.authenticate(credentials);
    clearTimeout(deadline);
    options.onAuthenticated();
    await open(opening, credentials.ref);
  }

  async function carryOut(command: SocketCommand): Promise<void> {
    if (command.type === 'ping') {
      reply('pong', command.ref);
      return;
    }
    if (command.type === 'authenticate') {
      await authenticate(command);
      return;
    }
    if (!stream) {
      throw new ServiceError('api_key_missing', 'Send an authenticate message first.');
    }
    if (command.type === 'subscribe') {
      reply('subscribed', command.ref, await stream.follow(command));
    } else reply('unsubscribed', command.ref, stream.unfollow(command));
  }

  async function receive(data: RawData): Promise<void> {
    let ref: string | undefined;
    try {
      const message = parse(data);
      ref = refOf(message);
      await carryOut(parseCommand(message));
    } catch (error) {
      refuse(error, ref);
      if (!stream) endSocket(socket, POLICY, 'not authenticated');
    }
  }

  let last = options.opening ? openAtOnce(options.opening) : Promise.resolve();
  const deadline = setTimeout(() => {
    if (options.opening || stream) return;
    refuse(new ServiceError('api_key_missing', 'No authenticate message came in time.'), undefined);
    endSocket(socket, POLICY, 'not authenticated');
  }, AUTHENTICATE_MS);
  socket.on('message', (data) => {
    if (!spend()) {
      refuse(new ServiceError('rate_limited', 'Too many messages in a short time.'), undefined);
      endSocket(socket, POLICY, 'too many messages');
      return;
    }
    last = last.then(() => receive(data));
  });
  socket.on('close', () => {
    clearTimeout(deadline);
    stream?.close();
  });
}

/** @throws {ServiceError} `malformed_json` */
function parse(data: RawData): unknown {
  try {
    // The library delivers one buffer unless it is told otherwise.
    return JSON.parse((data as Buffer).toString('utf8'));
  } catch {
    throw new ServiceError('malformed_json', 'The message is not JSON.');
  }
}

function refOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('ref' in message)) return undefined;
  return typeof message.ref === 'string' ? message.ref.slice(0, 64) : undefined;
}

/** @throws {ServiceError} `invalid_request` */
function parseCommand(message: unknown): SocketCommand {
  const parsed = socketCommandSchema.safeParse(message, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid_request', 'The message is not valid.', {
    errors: problemsOf('body', parsed.error),
  });
}

import { WebSocket } from 'ws';
import type { Log } from '../../platform/log.ts';
import type { Signer } from './signer.ts';
import { asWire, type Wire } from './wire.ts';

const SILENCE_MS = 25_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 20_000;

export type SocketOptions = {
  wsUrl: string;
  signer: Signer;
  log: Log;
  silenceMs?: number;
  firstRetryMs?: number;
};

/** Sends a command on an open connection; returns the id that the reply to it carries. */
export type SendCommand = (cmd: string, params: Wire) => number;

export type ChannelHandlers = {
  channels: readonly string[];
  /** Subscribes on each new connection; by default to the channels, for all markets. */
  subscribe?: (send: SendCommand) => void;
  onMessage: (message: Wire) => void;
  /**
   * Messages may have been lost: a new connection, or a gap in the sequence of a subscription. A
   * gap is reported before the message that revealed it.
   */
  onGap: (reason: 'connected' | 'sequence', sid?: number) => void;
  onClose?: () => void;
  /**
   * A command whose reply shows that the exchange still sends. With it, silence is noticed sooner
   * than the exchange pings, and pings prove nothing.
   */
  probe?: { everyMs: number; ask: (send: SendCommand) => void };
  signal: AbortSignal;
};

/**
 * Subscribes to channels over one connection until the signal aborts. A sequence gap, silence, or a
 * broken connection means that messages may have been lost: the caller is notified, and after
 * silence the connection is reopened.
 */
export function followChannels(options: SocketOptions, handlers: ChannelHandlers): void {
  const { channels, onMessage, onGap, onClose, probe, signal } = handlers;
  let retryMs = options.firstRetryMs ?? FIRST_RETRY_MS;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connectLater = () => {
    if (signal.aborted) return;
    retry = setTimeout(connect, retryMs * (0.5 + Math.random()));
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };

  const connect = () => {
    options
      .signer('GET', new URL(options.wsUrl).pathname)
      .then(follow)
      .catch((error: unknown) => {
        options.log.warn({ err: error, channels }, 'exchange feed cannot be opened');
        connectLater();
      });
  };

  const follow = (headers: Record<string, string>) => {
    if (signal.aborted) return;
    const current = new WebSocket(options.wsUrl, { headers });
    socket = current;
    const watchdog = createWatchdog(options.silenceMs ?? SILENCE_MS, () => {
      options.log.warn({ channels }, 'exchange feed silent, reconnecting');
      current.terminate();
    });
    const sequences = new Map<number, number>();
    const send = commandsOf(current);
    let probing: NodeJS.Timeout | undefined;
    current.on('open', () => {
      retryMs = options.firstRetryMs ?? FIRST_RETRY_MS;
      watchdog.alive();
      if (handlers.subscribe) handlers.subscribe(send);
      else send('subscribe', { channels });
      if (probe) probing = setInterval(() => probe.ask(send), probe.everyMs);
      onGap('connected');
    });
    if (!probe) current.on('ping', watchdog.alive);
    current.on('message', (data) => {
      watchdog.alive();
      const message = parse(Buffer.isBuffer(data) ? data.toString() : '');
      if (isTerminalError(message)) return current.terminate();
      const outcome = checkSequence(sequences, message);
      if (outcome === 'repeated') return;
      if (outcome === 'gap') onGap('sequence', Number(message.sid));
      onMessage(message);
    });
    current.on('error', (error) =>
      options.log.debug({ err: error, channels }, 'exchange feed failed'),
    );
    current.on('close', () => {
      watchdog.stop();
      clearInterval(probing);
      onClose?.();
      connectLater();
    });
  };

  signal.addEventListener('abort', () => {
    clearTimeout(retry);
    socket?.terminate();
  });
  connect();
}

function commandsOf(socket: WebSocket): SendCommand {
  let id = 0;
  return (cmd, params) => {
    id += 1;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ id, cmd, params }));
    return id;
  };
}

function createWatchdog(silenceMs: number, onSilence: () => void) {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    alive: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Per subscription: the next number, a repeated one, or one after a gap. Replies (`ok`) count too. */
export function checkSequence(
  sequences: Map<number, number>,
  message: Wire,
): 'next' | 'repeated' | 'gap' {
  const { sid, seq } = message;
  if (typeof sid !== 'number' || typeof seq !== 'number') return 'next';
  const last = sequences.get(sid);
  if (last !== undefined && seq <= last) return 'repeated';
  sequences.set(sid, seq);
  return last === undefined || seq === last + 1 ? 'next' : 'gap';
}

/**
 * 10 and 25 end a subscription permanently, 27 means too many requests: a reconnect resolves all
 * three.
 */
function isTerminalError(message: Wire): boolean {
  if (message.type !== 'error') return false;
  return [10, 25, 27].includes(Number(asWire(message.msg).code));
}

function parse(data: string): Wire {
  try {
    return asWire(JSON.parse(data));
  } catch {
    return {};
  }
}

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type JournalEntry,
  openTransactionJournal,
  type TransactionJournal,
} from './transactionJournal.ts';

/** Requests that change the chain and that it could forget when it is killed. */
const JOURNALED = new Set([
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'anvil_setBalance',
  'anvil_setCode',
]);

const MAX_BODY_BYTES = 8 * 1024 * 1024;

type Call = { method?: unknown; params?: unknown };
type Answer = { error?: unknown };

/**
 * Stands before the local chain at one steady address and passes every request on. What changes
 * the chain is written down first, so that a killed chain forgets nothing it has answered for.
 */
export type ChainGate = {
  url: string;
  /** Opens onto a chain that was just started, after sending it what its predecessor lost. */
  attach(chainUrl: string): Promise<void>;
  /** Turns requests away until another chain is attached. */
  detach(): void;
  close(): Promise<void>;
};

export async function openChainGate(options: {
  port: number;
  journalFile: string;
}): Promise<ChainGate> {
  const journal = openTransactionJournal(options.journalFile);
  const agent = new Agent({ keepAlive: true });
  let chainUrl: string | undefined;
  const server = createServer((incoming, outgoing) => {
    passOn({ incoming, outgoing, chainUrl, journal, agent }).catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(503);
      outgoing.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async attach(url) {
      for (const entry of journal.recent()) await replay(url, entry);
      chainUrl = url;
    },
    detach() {
      chainUrl = undefined;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(exchange: {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  chainUrl: string | undefined;
  journal: TransactionJournal;
  agent: Agent;
}): Promise<void> {
  const { incoming, outgoing, chainUrl, journal } = exchange;
  const body = await readBody(incoming);
  if (chainUrl === undefined || body === undefined) {
    outgoing.writeHead(body === undefined ? 413 : 503).end();
    return;
  }
  const recorded = callsOf(body)
    .filter((call) => typeof call.method === 'string' && JOURNALED.has(call.method))
    .map((call) => journal.record(String(call.method), call.params));
  const answer = await ask(chainUrl, incoming, body, exchange.agent);
  const answerBody = await buffer(answer);
  // One call is what clients send; of a refused batch nobody could tell which member was refused.
  const [only] = recorded;
  if (only && recorded.length === 1 && isRefusal(answerBody)) journal.forget(only);
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answerBody);
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  const body = await buffer(incoming);
  return body.length > MAX_BODY_BYTES ? undefined : body;
}

function callsOf(body: Buffer): Call[] {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const calls: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return calls.filter((call): call is Call => typeof call === 'object' && call !== null);
  } catch {
    return [];
  }
}

function isRefusal(body: Buffer): boolean {
  try {
    return (JSON.parse(body.toString('utf8')) as Answer).error !== undefined;
  } catch {
    return false;
  }
}

function ask(
  chainUrl: string,
  incoming: IncomingMessage,
  body: Buffer,
  agent: Agent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host: _host, 'transfer-encoding': _chunked, ...headers } = incoming.headers;
    const asked = request(
      chainUrl,
      {
        method: incoming.method,
        headers: { ...headers, 'content-length': body.length },
        agent,
      },
      resolve,
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The chain refuses what it still knows, by its nonce; that is as good as taking it. */
async function replay(chainUrl: string, entry: JournalEntry): Promise<void> {
  const answer = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: entry.sequence,
      method: entry.method,
      params: entry.params,
    }),
  });
  await answer.arrayBuffer();
}

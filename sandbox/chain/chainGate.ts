import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ControlledChain, ControlRefusal, controlChain } from './chainControl.ts';
import { createChainFaults, takeChainFault } from './chainFaults.ts';
import { type Detour, detourAfter, detourBefore } from './faultyNode.ts';
import { asLaggingNode, type LaggingNode, lacksBlock, seenByLaggingNode } from './laggingNode.ts';
import { type RpcCall, type RpcResponse, requestChain } from './rpcCall.ts';
import { saveStateRegularly } from './saveState.ts';
import { type JournalEntry, openTransactionJournal } from './transactionJournal.ts';
import { untilAllMined } from './untilIdle.ts';
import { createWriteGate } from './writeGate.ts';

/** Requests that change the chain and that a kill could lose. */
const JOURNALED = new Set([
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'anvil_setBalance',
  'anvil_setCode',
]);

const REPLAYED_WITHIN_MS = 200;

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const CONTROL_PATH = '/_control/';

/**
 * A proxy for the local chain with a fixed address. It records every change before passing it on,
 * so that a killed chain loses nothing that was acknowledged. `/_control/` makes it misbehave.
 */
export type ChainGate = {
  url: string;
  /** Attaches a newly started chain after replaying what its predecessor lost. */
  attach(chainUrl: string): Promise<void>;
  /** Rejects requests until another chain is attached. */
  detach(): void;
  close(): Promise<void>;
};

/** @param options.dataDir the chain's folder, where its state is saved */
export async function openChainGate(options: {
  port: number;
  journalFile: string;
  dataDir: string;
}): Promise<ChainGate> {
  const agent = new Agent({ keepAlive: true });
  const gated: Gated = {
    faults: createChainFaults(),
    journal: openTransactionJournal(options.journalFile),
    chainUrl: undefined,
    isMiningHeld: false,
    writes: createWriteGate(),
    agent,
    questions: 0,
  };
  let saving = new AbortController();
  let saved: Promise<void> | undefined;
  const server = createServer((incoming, outgoing) => {
    serve(gated, incoming, outgoing).catch(() => {
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
      saving.abort();
      saving = new AbortController();
      if (gated.isMiningHeld) await requestChain(url, 'evm_setAutomine', [false]);
      await replayAll(url, gated.journal.recent(), gated.isMiningHeld);
      gated.chainUrl = url;
      const { dataDir } = options;
      const isMiningHeld = () => gated.isMiningHeld;
      saved = saveStateRegularly(
        { url, dataDir, writes: gated.writes, isMiningHeld },
        saving.signal,
      );
    },
    detach() {
      saving.abort();
      gated.chainUrl = undefined;
    },
    async close() {
      saving.abort();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await saved;
    },
  };
}

type Gated = ControlledChain & { agent: Agent; questions: number };

async function serve(
  gated: Gated,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming);
  if (body === undefined) {
    outgoing.writeHead(413).end();
    return;
  }
  if (incoming.url?.startsWith(CONTROL_PATH)) {
    await handleControl(gated, incoming, outgoing, body);
    return;
  }
  const { chainUrl } = gated;
  if (chainUrl === undefined) {
    outgoing.writeHead(503).end();
    return;
  }
  await passOn({ gated, incoming, outgoing, body, chainUrl });
}

async function handleControl(
  gated: Gated,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: Buffer,
): Promise<void> {
  // Requests that a browser sends for a page carry its origin.
  if (incoming.headers.origin !== undefined) {
    outgoing.writeHead(403).end();
    return;
  }
  const name = (incoming.url ?? '').slice(CONTROL_PATH.length);
  const fields = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as object);
  try {
    sendJson(outgoing, 200, await controlChain(gated, name, { ...fields }));
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    sendJson(outgoing, 409, { error: error.message });
  }
}

type Exchange = {
  gated: Gated;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: Buffer;
  chainUrl: string;
};

async function passOn(exchange: Exchange): Promise<void> {
  const { gated, outgoing } = exchange;
  const calls = callsOf(exchange.body);
  // Clients send single calls; a batch passes unchanged.
  const call = calls.length === 1 ? calls[0] : undefined;
  const before = call ? await detourBefore(gated.faults, call) : PASS;
  if (before.kind !== 'pass') {
    takeDetour(outgoing, call, before);
    return;
  }
  const recorded = calls
    .filter((one) => typeof one.method === 'string' && JOURNALED.has(one.method))
    .map((one) => gated.journal.record(String(one.method), one.params));
  const laggingNode = call ? await laggingNodeOf(gated, exchange.chainUrl) : undefined;
  if (call && laggingNode && lacksBlock(laggingNode, call)) {
    takeDetour(outgoing, call, LACKS_BLOCK);
    return;
  }
  const put =
    call && laggingNode ? Buffer.from(JSON.stringify(asLaggingNode(laggingNode, call))) : undefined;
  const twice = recorded.length === 1 && takeChainFault(gated.faults, 'broadcast_twice');
  const putIt = async () => {
    if (twice) await buffer(await ask(exchange, exchange.body));
    const response = await ask(exchange, put ?? exchange.body);
    return { response, responseBody: await buffer(response) };
  };
  const { response, responseBody } =
    recorded.length > 0 ? await gated.writes.pass(putIt) : await putIt();
  const parsed = call ? parseResponse(responseBody) : undefined;
  // The rejection of a batch does not say which member was rejected.
  const [only] = recorded;
  if (only && recorded.length === 1 && parsed?.error !== undefined && !twice) {
    gated.journal.forget(only);
  }
  if (call && parsed && 'result' in parsed && laggingNode) {
    parsed.result = seenByLaggingNode(laggingNode, call, parsed.result);
  }
  const after = call && parsed ? detourAfter(gated.faults, call, parsed) : PASS;
  if (after.kind !== 'pass') takeDetour(outgoing, call, after);
  else if (laggingNode && parsed) sendJson(outgoing, 200, parsed);
  else outgoing.writeHead(response.statusCode ?? 502, response.headers).end(responseBody);
}

const PASS: Detour = { kind: 'pass' };
/** As Geth responds. */
const LACKS_BLOCK: Detour = {
  kind: 'reply',
  reply: { error: { code: -32_000, message: 'header not found' } },
};

function takeDetour(outgoing: ServerResponse, call: RpcCall | undefined, detour: Detour): void {
  if (detour.kind === 'cut') outgoing.socket?.destroy();
  else if (detour.kind === 'unavailable') outgoing.writeHead(503).end();
  else if (detour.kind === 'reply') {
    sendJson(outgoing, 200, { jsonrpc: '2.0', id: call?.id ?? null, ...detour.reply });
  }
}

async function laggingNodeOf(gated: Gated, chainUrl: string): Promise<LaggingNode | undefined> {
  const { lagBlocks, lagEvery } = gated.faults;
  if (lagBlocks === 0) return undefined;
  gated.questions += 1;
  if (gated.questions % lagEvery !== 0) return undefined;
  const newest = BigInt(String(await requestChain(chainUrl, 'eth_blockNumber')));
  const lag = BigInt(lagBlocks);
  return { head: newest > lag ? newest - lag : 0n };
}

function sendJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  const body = await buffer(incoming);
  return body.length > MAX_BODY_BYTES ? undefined : body;
}

function callsOf(body: Buffer): RpcCall[] {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const calls: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return calls.filter((call): call is RpcCall => typeof call === 'object' && call !== null);
  } catch {
    return [];
  }
}

function parseResponse(body: Buffer): RpcResponse | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as RpcResponse;
  } catch {
    return undefined;
  }
}

function ask(exchange: Exchange, body: Buffer): Promise<IncomingMessage> {
  const { incoming, gated } = exchange;
  return new Promise((resolve, reject) => {
    const { host: _host, 'transfer-encoding': _chunked, ...headers } = incoming.headers;
    const asked = request(
      exchange.chainUrl,
      {
        method: incoming.method,
        headers: { ...headers, 'content-length': body.length },
        agent: gated.agent,
      },
      resolve,
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A rejected nonce may unblock pending transactions, which another round sends. */
const REPLAY_ROUNDS = 3;

async function replayAll(
  chainUrl: string,
  entries: readonly JournalEntry[],
  isMiningHeld: boolean,
): Promise<void> {
  for (let round = 0; round < REPLAY_ROUNDS; round += 1) {
    for (const entry of entries) {
      const isTaken = await replay(chainUrl, entry);
      if (isTaken && !isMiningHeld) await untilAllMined(chainUrl, REPLAYED_WITHIN_MS);
    }
    const pool = (await requestChain(chainUrl, 'txpool_status')) as { queued: string };
    if (BigInt(pool.queued) === 0n) return;
  }
}

/**
 * The chain rejects a transaction it already knows by its nonce; that counts as accepted.
 * @returns whether the chain accepted it
 */
async function replay(chainUrl: string, { method, params }: JournalEntry): Promise<boolean> {
  return await requestChain(chainUrl, method, params).then(
    () => true,
    () => false,
  );
}

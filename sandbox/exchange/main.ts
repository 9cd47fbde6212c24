import { parseArgs } from 'node:util';
import { StartProblem } from '#sandbox/problem.ts';
import { openExchange, runExchange } from './exchange.ts';
import { createHttpServer } from './http/server.ts';
import { attachSockets } from './http/socket.ts';
import { keysFromText } from './keys.ts';
import type { Exchange } from './state.ts';

/** From sysexits.h: a restart will not help. */
const EX_CONFIG = 78;

/**
 * The sandbox exchange as a process. Flags win over the environment: --port / EXCHANGE_PORT, --data
 * / EXCHANGE_DATA_DIR, --seed / EXCHANGE_SEED, --benchmark-markets / EXCHANGE_BENCHMARK_MARKETS
 * (generated markets), --signature-tolerance / EXCHANGE_SIGNATURE_TOLERANCE_SECONDS (the allowed
 * age of a signature), --maintenance / EXCHANGE_MAINTENANCE (daily or none), --keys / EXCHANGE_KEYS (JSON array of {keyId, publicKeyPem, balanceMicros as
 * text}).
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.EXCHANGE_PORT ?? '4400' },
    host: { type: 'string', default: process.env.EXCHANGE_HOST ?? '127.0.0.1' },
    data: { type: 'string', default: process.env.EXCHANGE_DATA_DIR ?? '.data/exchange' },
    seed: { type: 'string', default: process.env.EXCHANGE_SEED ?? '1' },
    'benchmark-markets': {
      type: 'string',
      default: process.env.EXCHANGE_BENCHMARK_MARKETS ?? '0',
    },
    'signature-tolerance': {
      type: 'string',
      default: process.env.EXCHANGE_SIGNATURE_TOLERANCE_SECONDS ?? '30',
    },
    maintenance: { type: 'string', default: process.env.EXCHANGE_MAINTENANCE ?? 'daily' },
    keys: { type: 'string', default: process.env.EXCHANGE_KEYS ?? '[]' },
  },
});

function open() {
  try {
    return openExchange({
      dataDir: values.data,
      seed: Number(values.seed),
      keys: keysFromText(values.keys),
      benchmarkMarkets: Number(values['benchmark-markets']),
      signatureToleranceSeconds: Number(values['signature-tolerance']),
      hasMaintenance: values.maintenance !== 'none',
    });
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    const { message, cure } = error;
    process.stderr.write(`${message}\n${cure}\n`);
    // Waits for delivery: messages in the channel would be lost with the process.
    process.send?.({ type: 'problem', message, cure }, () => process.exit(EX_CONFIG));
    if (!process.send) process.exit(EX_CONFIG);
    return undefined;
  }
}

function serve(exchange: Exchange): void {
  const server = createHttpServer(exchange);
  const closeSockets = attachSockets(exchange, server);
  server.on('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`${error.code ?? ''} ${error.message}\n`);
    process.exit(error.code === 'EADDRINUSE' ? 98 : 1);
  });
  server.listen(Number(values.port), values.host, () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : values.port;
    const stop = runExchange(exchange);
    process.stdout.write(`${JSON.stringify({ ready: true, port })}\n`);
    process.send?.({ type: 'ready' });
    const end = () => {
      closeSockets();
      server.closeAllConnections();
      server.close();
      stop();
      process.exit(0);
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
    process.once('disconnect', end);
  });
}

const exchange = open();
if (exchange) serve(exchange);

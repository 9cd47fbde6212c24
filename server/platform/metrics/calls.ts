import { counter, gauge, histogram } from './registry.ts';

/** What the service asks of others: the exchange and the chain. */

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const exchangeCalls = histogram(
  {
    name: 'crossbook_exchange_call_seconds',
    help: 'Exchange operations including retries, by outcome.',
    buckets: BUCKETS,
  },
  ['operation', 'outcome'],
);

const exchangeRequests = counter(
  {
    name: 'crossbook_exchange_requests_total',
    help: 'Single HTTP requests to the exchange: a class of status, timeout or network.',
  },
  ['method', 'result'],
);

const feedMessages = gauge(
  {
    name: 'crossbook_exchange_feed_last_message_timestamp_seconds',
    help: 'When this process last received from the exchange feed; only one process listens.',
  },
  [],
);

const chainRequests = histogram(
  {
    name: 'crossbook_chain_request_seconds',
    help: 'JSON-RPC requests to the chain, by method and outcome.',
    buckets: BUCKETS,
  },
  ['method', 'outcome'],
);

export function observeExchangeCall(operation: string, outcome: string, seconds: number): void {
  exchangeCalls.observe({ operation, outcome }, seconds);
}

export function countExchangeRequest(method: string, result: string): void {
  exchangeRequests.inc({ method, result });
}

export function countFeedMessage(): void {
  feedMessages.set(Date.now() / 1000);
}

export function observeChainRequest(method: string, outcome: string, seconds: number): void {
  chainRequests.observe({ method, outcome }, seconds);
}

import { counter, gauge, histogram } from './registry.ts';

/** Requests of the service to the exchange and the chain. */

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const exchangeCalls = histogram(
  'crossbook_exchange_call_seconds',
  'Exchange operations including retries, by outcome.',
  ['operation', 'outcome'],
  BUCKETS,
);
const exchangeRequests = counter(
  'crossbook_exchange_requests_total',
  'Single HTTP requests to the exchange: a class of status, timeout or network.',
  ['method', 'result'],
);
const feedMessages = gauge(
  'crossbook_exchange_feed_last_message_timestamp_seconds',
  'When this process last received from the exchange feed; only one process listens.',
);
const chainRequests = histogram(
  'crossbook_chain_request_seconds',
  'JSON-RPC requests to the chain, by method and outcome.',
  ['method', 'outcome'],
  BUCKETS,
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

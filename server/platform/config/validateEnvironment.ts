import { isLoopback } from '#lib/loopback.ts';
import { complianceProblems } from './compliance.ts';
import type { Environment } from './environment.ts';
import { exchangeTimingProblems } from './exchange.ts';
import { pushProblems } from './push.ts';
import { validateDatabase } from './validateDatabase.ts';
import { validateKeys } from './validateKeys.ts';

/** The valid values of the environment; checks skip wrong ones. */
export type ReadableEnvironment = Partial<Environment>;

const BASE_ID = 8453;
/** Circle's USDC on Base (developers.circle.com, "USDC contract addresses"). */
const USDC_ON_BASE = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/** Whether real money is at stake: the chain is not the one of a sandbox. */
export function isProduction(env: ReadableEnvironment): boolean {
  if (env.SANDBOX || env.CHAIN_RPC_URL === undefined) return false;
  return !isLoopback(env.CHAIN_RPC_URL) || env.CHAIN_OWN_NODE === true;
}

/** Rejects combinations of valid values that are dangerous together, and says how to fix them. */
export function validateEnvironment(
  env: ReadableEnvironment,
  variables: Record<string, unknown>,
): string[] {
  return [
    ...sandboxRefusals(env),
    ...chainRefusals(env),
    ...exchangeRefusals(env),
    ...exchangeTimingProblems(env),
    ...validateKeys(env, isProduction(env)),
    ...validateDatabase(env, isProduction(env)),
    ...reachRefusals(env, variables),
    ...pushProblems(env),
    ...complianceProblems(
      { REGION_REQUIRED: false, RETENTION_DAYS: 0, ...env },
      { isProduction: isProduction(env) },
    ),
  ];
}

function* sandboxRefusals(env: ReadableEnvironment): Generator<string> {
  if (env.SANDBOX) {
    if (env.CHAIN_RPC_URL && !isLoopback(env.CHAIN_RPC_URL)) {
      yield 'SANDBOX: the sandbox runs on a loopback chain only; unset it or CHAIN_RPC_URL';
    }
    if (env.CHAIN_OWN_NODE) {
      yield 'SANDBOX: together with CHAIN_OWN_NODE it would open faucet and demo wallets on the real chain; unset one of them';
    }
    if (env.HOST && !isLoopbackHost(env.HOST) && !env.SANDBOX_SHARED) {
      yield `HOST: ${env.HOST} lets others than this machine use the development keys and the faucet of the sandbox; unset it, or set SANDBOX_SHARED=true where that is wanted`;
    }
    return;
  }
  if (env.SANDBOX_SHARED) yield 'SANDBOX_SHARED: is for the sandbox only; unset it';
  if (env.SANDBOX_FAULT_DIR) yield 'SANDBOX_FAULT_DIR: is for the sandbox only; unset it';
  if (env.SANDBOX_NAMES?.length) yield 'SANDBOX_NAMES: is for the sandbox only; unset it';
  if (env.FAUCET_PRIVATE_KEY && isProduction(env)) {
    yield 'FAUCET_PRIVATE_KEY: is for the sandbox only; unset it';
  }
}

function* chainRefusals(env: ReadableEnvironment): Generator<string> {
  const { CHAIN_RPC_URL: rpcUrl, USDC_ADDRESS: usdc } = env;
  if (rpcUrl && isRemotePlaintext(rpcUrl)) {
    yield 'CHAIN_RPC_URL: responses over plain http can be tampered with; use https';
  }
  if (!isProduction(env) || env.CHAIN_ID !== BASE_ID || !usdc) return;
  if (usdc.toLowerCase() !== USDC_ON_BASE) {
    yield `USDC_ADDRESS: is not the USDC of Base; use ${USDC_ON_BASE}, or correct CHAIN_ID`;
  }
}

type ExchangeKind = 'local' | 'demo' | 'real';

/** Kalshi's demo environment lives under demo-api.kalshi.co and *.demo.kalshi.co. */
function exchangeKind(url: string): ExchangeKind {
  if (isLoopback(url)) return 'local';
  return /(^|[.-])demo([.-]|$)/.test(new URL(url).hostname) ? 'demo' : 'real';
}

function* exchangeRefusals(env: ReadableEnvironment): Generator<string> {
  const { VENUE_URL: url, VENUE_WS_URL: wsUrl } = env;
  if (!url) return;
  const kind = exchangeKind(url);
  if (isProduction(env) && kind !== 'real') {
    yield `VENUE_URL: a ${kind === 'demo' ? 'demo' : 'sandbox'} exchange with a real chain would sell test contracts for real dollars; set the real exchange, or a chain on this machine`;
  }
  if (env.CHAIN_RPC_URL && !isProduction(env) && kind === 'real') {
    yield 'VENUE_URL: the real exchange with a local chain would buy real contracts for test dollars; set a sandbox or demo exchange, or the real chain (CHAIN_OWN_NODE=true where its node runs on this machine)';
  }
  if (isRemotePlaintext(url)) {
    yield 'VENUE_URL: plain http can be read and tampered with; use https';
  }
  if (wsUrl && exchangeKind(wsUrl) !== kind) {
    yield 'VENUE_WS_URL: belongs to another exchange than VENUE_URL; correct one of them';
  }
  if (wsUrl && isRemotePlaintext(wsUrl)) {
    yield 'VENUE_WS_URL: prices over plain ws can be tampered with; use wss';
  }
}

/** The public address and its protection. */
function* reachRefusals(
  env: ReadableEnvironment,
  variables: Record<string, unknown>,
): Generator<string> {
  const { PUBLIC_BASE_URL: publicUrl } = env;
  if (publicUrl && !env.SANDBOX && isRemotePlaintext(publicUrl)) {
    yield 'PUBLIC_BASE_URL: plain http exposes user tokens; set the https URL of your proxy';
  }
  if (isProduction(env) && (!publicUrl || isLoopback(publicUrl))) {
    yield 'PUBLIC_BASE_URL: must be the public https URL; sign-ins and tokens are bound to it';
  }
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0' && !env.SANDBOX) {
    yield 'NODE_TLS_REJECT_UNAUTHORIZED: 0 disables certificate checks; unset it, and add your authority with NODE_EXTRA_CA_CERTS';
  }
}

function isLoopbackHost(host: string): boolean {
  return isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`);
}

/** Whether the connection can be read or modified in transit. */
export function isRemotePlaintext(url: string): boolean {
  return /^(http|ws):/.test(url) && !isLoopback(url);
}

import type { FaultKind } from '../faults.ts';
import type { Account } from '../ledger.ts';
import { Refusal } from '../order.ts';
import type { Exchange } from '../state.ts';
import { family, subaccountOf } from '../subaccounts.ts';

export type Call = {
  exchange: Exchange;
  now: number;
  params: string[];
  query: URLSearchParams;
  body: unknown;
  /** Set on routes that need a key. */
  account: Account;
  /** Where the caller reached the exchange. */
  origin: string;
  /** Whether this fault applies to the call. */
  happens: (kind: FaultKind) => boolean;
};

/** The JSON response: a value, or its text if available. */
export type Reply = { status: number; body?: unknown; text?: string };

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below /trade-api/v2; `*` matches one segment. */
  path: string;
  /** Needs a signed request. */
  keyed?: boolean;
  /** Taken from the write bucket instead of the read bucket. */
  write?: boolean;
  tokens?: number;
  handle(call: Call): Reply | Promise<Reply>;
};

/** The body as an object. @throws {Refusal} */
export function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) throw badParameter('a JSON object is required');
  return body as Record<string, unknown>;
}

/** A string or a number as a string; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : '';
}

/** The account of a call: the key's own, or the subaccount it names. @throws {Refusal} */
export function namedAccount({ exchange, account, query }: Call, named?: unknown): Account {
  const given = named ?? query.get('subaccount') ?? 0;
  return subaccountOf(exchange, account, Number(given));
}

/** The accounts of a list: all of the owner's unless one is named. @throws {Refusal} */
export function listedAccounts(call: Call): Account[] {
  const named = call.query.get('subaccount');
  if (named) return [namedAccount(call)];
  return family(call.exchange, call.account);
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const okText = (text: string): Reply => ({ status: 200, text });

export function notFound(what: string): Refusal {
  return new Refusal(404, 'not_found', `${what} not found`);
}

export function badParameter(message: string): Refusal {
  return new Refusal(400, 'invalid_parameters', message);
}

/** An integer parameter inside its limits. @throws {Refusal} */
export function integer(
  query: URLSearchParams,
  name: string,
  limits: { least: number; most: number; fallback: number },
): number {
  const text = query.get(name);
  if (text === null || text === '') return limits.fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < limits.least || value > limits.most) {
    throw badParameter(`${name} must be an integer from ${limits.least} to ${limits.most}`);
  }
  return value;
}

/** Unix seconds as milliseconds; undefined when not given. @throws {Refusal} */
export function seconds(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw badParameter(`${name} must be unix seconds`);
  return value * 1000;
}

export function list(query: URLSearchParams, name: string): string[] | undefined {
  const texts = query.getAll(name).flatMap((text) => text.split(','));
  const items = texts.map((text) => text.trim()).filter((text) => text !== '');
  return items.length > 0 ? items : undefined;
}

export function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** @throws {Refusal} */
export function decodeCursor(query: URLSearchParams): string | undefined {
  const text = query.get('cursor');
  if (!text) return undefined;
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw badParameter('the cursor is not valid');
  return Buffer.from(text, 'base64url').toString();
}

/** One page of a sequence that is ordered by `keyOf`, after the cursor. */
export function page<T>(
  items: Iterable<T>,
  limit: number,
  after: string | undefined,
  keyOf: (item: T) => string,
): { items: T[]; cursor: string } {
  const taken: T[] = [];
  for (const item of items) {
    if (after !== undefined && keyOf(item) <= after) continue;
    if (taken.length === limit) {
      const last = taken.at(-1);
      return { items: taken, cursor: last === undefined ? '' : encodeCursor(keyOf(last)) };
    }
    taken.push(item);
  }
  return { items: taken, cursor: '' };
}

const BENCHMARK_CURSOR = 'benchmark:';

/**
 * One page of the listed items followed by generated ones, so many groups per page. Pages of the
 * generated part may be shorter than the limit; only the cursor marks the end.
 */
export function pageOfAll<T extends { ticker: string }>(
  all: {
    listed: T[];
    made: number;
    makeOf: (from: number, to: number) => T[];
    /** The number of groups that can be generated. */
    count: number;
  },
  limit: number,
  after: string | undefined,
): { items: T[]; cursor: string } {
  const begin = encodeCursor(`${BENCHMARK_CURSOR}0`);
  if (!after?.startsWith(BENCHMARK_CURSOR)) {
    const { items, cursor } = page(all.listed, limit, after, (item) => item.ticker);
    return { items, cursor: cursor === '' && all.count > 0 ? begin : cursor };
  }
  const from = Number(after.slice(BENCHMARK_CURSOR.length));
  if (!Number.isInteger(from) || from < 0) throw badParameter('the cursor is not valid');
  const to = from + all.made;
  return {
    items: all.makeOf(from, to),
    cursor: to < all.count ? encodeCursor(`${BENCHMARK_CURSOR}${to}`) : '',
  };
}

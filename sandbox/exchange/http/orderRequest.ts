import { randomUUID } from 'node:crypto';
import { tryParseMicros } from '#lib/money.ts';
import { badShard, type OrderRequest } from '../order.ts';
import { isShard } from '../shards.ts';
import { badParameter, fieldsOf } from './route.ts';

const MOST_CLIENT_ID_CHARS = 64;

/** Reads the body of an order. @throws {Refusal} */
export function orderRequest(body: unknown, now: number): OrderRequest {
  const fields = fieldsOf(body);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const side = oneOf(fields, 'side', ['bid', 'ask'] as const);
  const timeInForce = oneOf(fields, 'time_in_force', [
    'fill_or_kill',
    'immediate_or_cancel',
    'good_till_canceled',
  ] as const);
  const selfTrade = oneOf(fields, 'self_trade_prevention_type', [
    'taker_at_cross',
    'maker',
  ] as const);
  const clientOrderId = text('client_order_id') || randomUUID();
  if (clientOrderId.length > MOST_CLIENT_ID_CHARS)
    throw badParameter('client_order_id is too long');
  const contractMicros = decimal(text('count'), 2, 'count');
  const priceMicros = decimal(text('price'), 4, 'price');
  const expiresAt = expiry(fields.expiration_time, timeInForce, now);
  const shard = shardNamed(fields.exchange_index);
  return {
    ticker: text('ticker'),
    ...(shard === undefined ? {} : { shard }),
    clientOrderId,
    side,
    priceMicros,
    contractMicros,
    timeInForce,
    selfTrade,
    postOnly: fields.post_only === true,
    reduceOnly: fields.reduce_only === true,
    cancelOnPause: fields.cancel_order_on_pause === true,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(text('order_group_id') === '' ? {} : { orderGroupId: text('order_group_id') }),
  };
}

/** Undefined routes by the ticker. @throws {Refusal} */
export function shardNamed(value: unknown): number | undefined {
  if (value === undefined || value === null || value === -1) return undefined;
  if (typeof value !== 'number' || !isShard(value)) throw badShard(Number(value));
  return value;
}

function oneOf<T extends string>(
  fields: Record<string, unknown>,
  name: string,
  allowed: readonly T[],
): T {
  const found = allowed.find((item) => item === fields[name]);
  if (!found) throw badParameter(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

export function decimal(text: string, decimals: number, name: string): bigint {
  const micros = tryParseMicros(text);
  const fraction = text.split('.')[1] ?? '';
  if (micros === undefined || micros === 0n || fraction.length > decimals) {
    throw badParameter(`${name} must be a positive decimal with at most ${decimals} decimals`);
  }
  return micros;
}

export function expiry(value: unknown, timeInForce: string, now: number): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (timeInForce !== 'good_till_canceled')
    throw badParameter('expiration_time needs good_till_canceled');
  const at = Number(value) * 1000;
  if (!Number.isFinite(at) || at <= now) throw badParameter('expiration_time is in the past');
  return at;
}

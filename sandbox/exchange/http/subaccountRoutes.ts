import { randomUUID } from 'node:crypto';
import { freeCash, purseOf, SHARDS } from '../shards.ts';
import {
  family,
  listTransfers,
  openSubaccount,
  subaccountNumber,
  transfer,
} from '../subaccounts.ts';
import {
  badParameter,
  decodeCursor,
  encodeCursor,
  fieldsOf,
  integer,
  ok,
  type Route,
} from './route.ts';
import { dollars } from './wire.ts';

const PATH = '/portfolio/subaccounts';
const written = { keyed: true, write: true };

/** @throws {Refusal} */
function whole(fields: Record<string, unknown>, name: string, least: number, most: number): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw badParameter(`${name} must be an integer from ${least} to ${most}`);
  }
  return value;
}

export const subaccountRoutes: Route[] = [
  {
    ...written,
    method: 'POST',
    path: PATH,
    async handle({ exchange, account }) {
      const made = openSubaccount(exchange, account);
      await exchange.store.durable();
      return { status: 201, body: { subaccount_number: subaccountNumber(made.id) } };
    },
  },
  {
    keyed: true,
    method: 'GET',
    path: `${PATH}/balances`,
    handle: ({ exchange, account, now }) =>
      ok({
        subaccount_balances: family(exchange, account).flatMap((one) =>
          SHARDS.map(({ shard }) => ({
            subaccount_number: subaccountNumber(one.id),
            exchange_index: shard,
            balance: dollars(freeCash(purseOf(one, shard))),
            updated_ts: Math.floor(now / 1000),
          })),
        ),
      }),
  },
  {
    ...written,
    method: 'POST',
    path: `${PATH}/transfer`,
    async handle({ exchange, account, body, now }) {
      const fields = fieldsOf(body);
      const clientTransferId = fields.client_transfer_id;
      if (typeof clientTransferId !== 'string' || clientTransferId === '') {
        throw badParameter('client_transfer_id is required');
      }
      transfer(exchange, account, {
        transferId: randomUUID(),
        clientTransferId,
        from: whole(fields, 'from_subaccount', 0, 63),
        to: whole(fields, 'to_subaccount', 0, 63),
        cents: whole(fields, 'amount_cents', 1, Number.MAX_SAFE_INTEGER),
        at: now,
      });
      await exchange.store.durable();
      return ok({});
    },
  },
  {
    keyed: true,
    method: 'GET',
    path: `${PATH}/transfers`,
    handle({ exchange, account, query }) {
      const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
      const start = Number(decodeCursor(query) ?? '0');
      const all = listTransfers(exchange, account);
      return ok({
        transfers: all.slice(start, start + limit).map((one) => ({
          transfer_id: one.transferId,
          from_subaccount: one.from,
          to_subaccount: one.to,
          amount_cents: one.cents,
          created_ts: Math.floor(one.at / 1000),
          exchange_index: 0,
        })),
        cursor: start + limit < all.length ? encodeCursor(String(start + limit)) : '',
      });
    },
  },
];

import { nextMaintenance } from '../maintenance.ts';
import { SHARDS, stateOfShard } from '../shards.ts';
import type { Exchange } from '../state.ts';
import { ok, type Route } from './route.ts';
import { time } from './wire.ts';

export function statusWire(exchange: Exchange) {
  const activity = (shard: number) => {
    const { exchangeActive, tradingActive, transfersActive } = stateOfShard(exchange, shard);
    return {
      exchange_active: exchangeActive,
      trading_active: tradingActive,
      intra_exchange_transfers_active: transfersActive,
    };
  };
  return {
    // The fields of the whole are those of the default shard.
    ...activity(0),
    exchange_estimated_resume_time: null,
    exchange_index_statuses: SHARDS.map(({ shard, description }) => ({
      exchange_index: shard,
      description,
      ...activity(shard),
    })),
  };
}

function maintenanceWire(now: number) {
  const { startsAt, endsAt } = nextMaintenance(now);
  return { start_datetime: time(startsAt), end_datetime: time(endsAt) };
}

const ALL_DAY = [{ open_time: '00:00', close_time: '00:00' }];

export const exchangeRoutes: Route[] = [
  { method: 'GET', path: '/exchange/status', handle: ({ exchange }) => ok(statusWire(exchange)) },
  {
    method: 'GET',
    path: '/exchange/schedule',
    handle: ({ exchange, now }) =>
      ok({
        schedule: {
          standard_hours: [
            {
              start_time: time(exchange.genesis),
              end_time: time(exchange.genesis + 20 * 365 * 86_400_000),
              monday: ALL_DAY,
              tuesday: ALL_DAY,
              wednesday: ALL_DAY,
              thursday: ALL_DAY,
              friday: ALL_DAY,
              saturday: ALL_DAY,
              sunday: ALL_DAY,
            },
          ],
          maintenance_windows: exchange.hasMaintenance ? [maintenanceWire(now)] : [],
        },
      }),
  },
  {
    method: 'GET',
    path: '/exchange/user_data_timestamp',
    handle: ({ exchange: { faults }, now }) =>
      ok({ as_of_time: time(now + faults.clockSkewMs - faults.readLagMs) }),
  },
  {
    method: 'GET',
    path: '/account/limits',
    keyed: true,
    handle: ({ exchange: { limits } }) =>
      ok({
        usage_tier: limits.tier,
        read: { refill_rate: limits.read.refill, bucket_capacity: limits.read.capacity },
        write: { refill_rate: limits.write.refill, bucket_capacity: limits.write.capacity },
        grants: [],
      }),
  },
  {
    method: 'GET',
    path: '/account/endpoint_costs',
    handle: ({ exchange: { limits } }) =>
      ok({
        default_cost: limits.usualCost,
        endpoint_costs: [
          { method: 'DELETE', path: '/portfolio/events/orders/{order_id}', cost: 2 },
          { method: 'DELETE', path: '/portfolio/events/orders/batched', cost: 2 },
          { method: 'GET', path: '/portfolio/orders/{order_id}', cost: 2 },
        ],
      }),
  },
  {
    method: 'GET',
    path: '/search/tags_by_categories',
    handle({ exchange }) {
      const tags = new Map<string, Set<string>>();
      for (const template of exchange.world.templates.values()) {
        const known = tags.get(template.category) ?? new Set();
        for (const tag of template.tags) known.add(tag);
        tags.set(template.category, known);
      }
      return ok({
        tags_by_categories: Object.fromEntries([...tags].map(([key, set]) => [key, [...set]])),
      });
    },
  },
];

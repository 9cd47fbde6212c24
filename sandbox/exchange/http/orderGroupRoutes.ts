import { tryParseMicros } from '#lib/money.ts';
import { deleteGroup, sweepGroups } from '../groupSweep.ts';
import {
  changeLimit,
  createGroup,
  groupOf,
  groupsOf,
  type OrderGroup,
  ordersOf,
  reset,
  trigger,
} from '../orderGroups.ts';
import { badParameter, type Call, fieldsOf, ok, type Route, textOf } from './route.ts';
import { count } from './wire.ts';

const PATH = '/portfolio/order_groups';
const written = { keyed: true, write: true };

/** Whole contracts, by either name. @throws {Refusal} */
function limitIn(body: unknown): bigint {
  const { contracts_limit: whole, contracts_limit_fp: exact } = fieldsOf(body);
  const limits = [whole, exact].flatMap((value) =>
    value === undefined ? [] : (tryParseMicros(textOf(value)) ?? 0n),
  );
  const [limit = 0n, other = limit] = limits;
  if (limit <= 0n || limit % 1_000_000n !== 0n || limit !== other) {
    throw badParameter('contracts_limit must be a positive number of whole contracts');
  }
  return limit;
}

function groupWire(group: OrderGroup) {
  return {
    id: group.id,
    contracts_limit_fp: count(group.limitMicros),
    is_auto_cancel_enabled: !group.triggered,
    exchange_index: 0,
  };
}

/** Changes the named group; the response is empty. */
function change(run: (call: Call, group: OrderGroup) => void): Route['handle'] {
  return async (call) => {
    const { exchange, account, params } = call;
    run(call, groupOf(exchange, account, params[0] ?? ''));
    sweepGroups(exchange);
    await exchange.store.durable();
    return ok({});
  };
}

export const orderGroupRoutes: Route[] = [
  {
    keyed: true,
    method: 'GET',
    path: PATH,
    handle: ({ exchange, account }) =>
      ok({ order_groups: groupsOf(exchange, account).map(groupWire) }),
  },
  {
    ...written,
    method: 'POST',
    path: `${PATH}/create`,
    async handle({ exchange, account, body }) {
      const group = createGroup(exchange, account, limitIn(body));
      await exchange.store.durable();
      return {
        status: 201,
        body: { order_group_id: group.id, subaccount: 0, exchange_index: 0 },
      };
    },
  },
  {
    keyed: true,
    method: 'GET',
    path: `${PATH}/*`,
    handle({ exchange, account, params }) {
      const group = groupOf(exchange, account, params[0] ?? '');
      const { id: _id, ...rest } = groupWire(group);
      return ok({ ...rest, orders: ordersOf(exchange, group).map((order) => order.orderId) });
    },
  },
  {
    ...written,
    method: 'DELETE',
    path: `${PATH}/*`,
    handle: change(({ exchange }, group) => deleteGroup(exchange, group)),
  },
  {
    ...written,
    method: 'PUT',
    path: `${PATH}/*/reset`,
    handle: change(({ exchange }, group) => reset(exchange, group)),
  },
  {
    ...written,
    method: 'PUT',
    path: `${PATH}/*/trigger`,
    handle: change(({ exchange }, group) => trigger(exchange, group)),
  },
  {
    ...written,
    method: 'PUT',
    path: `${PATH}/*/limit`,
    handle: change(({ exchange, body }, group) => changeLimit(exchange, group, limitIn(body))),
  },
];

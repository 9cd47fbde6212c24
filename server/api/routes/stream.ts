import type { z } from 'zod';
import { streamQuerySchema } from '#lib/api/schemas/stream.ts';
import { type AccountDeps, resolveAccount } from '../../domain/accounts/accounts.ts';
import type { Following } from '../../domain/notifications/stream/followings.ts';
import type { StreamHub } from '../../domain/notifications/stream/streamHub.ts';
import type { StreamShare } from '../../domain/notifications/stream/streamRooms.ts';
import type { Subscription } from '../../domain/notifications/stream/subscriber.ts';
import { latestSequence } from '../../domain/orders/read/eventFeed.ts';
import type { Config } from '../../platform/config/config.ts';
import { ServiceError } from '../../platform/errors.ts';
import { subscriberNetwork } from '../../platform/network/ipAddress.ts';
import { callerName, viewerOf } from '../middleware/caller.ts';
import { type BaseContext, type Route, route } from './route.ts';

type Deps = AccountDeps & { config: Pick<Config, 'streams'> };

const STREAMS_PER_SECRET_KEY = 1_000;
const STREAMS_PER_VISITOR = 20;

/** The client's last event, or the current end of the log. */
async function resumeAfter({ deps, c }: BaseContext<Deps>): Promise<bigint> {
  const id = c.req.header('last-event-id');
  if (id === undefined || id === '') return latestSequence(deps);
  if (!/^\d{1,18}$/.test(id)) {
    throw new ServiceError('invalid_request', 'One field must be changed.', {
      errors: [{ pointer: '/headers/last-event-id', detail: 'must be the id of an event' }],
    });
  }
  return BigInt(id);
}

/** The signed-in wallet and its smart account, if that is known. */
async function holdersOf({ deps, caller: { owner } }: BaseContext<Deps>): Promise<Set<string>> {
  if (owner === undefined) return new Set();
  const account = await resolveAccount(deps, owner).then(
    (identity) => [identity.account],
    () => [],
  );
  return new Set([owner, ...account]);
}

/** The limits it counts against: its key, its network, the key's wallet and the signed-in one. */
function sharesOf({ deps, caller, c }: BaseContext<Deps>): StreamShare[] {
  const { perNetwork, perWallet } = deps.config.streams;
  const { apiKey, owner } = caller;
  const ofKey = apiKey?.kind === 'pub' ? STREAMS_PER_VISITOR : STREAMS_PER_SECRET_KEY;
  const wallets = new Set([apiKey?.ownerAddress, owner].filter((one) => one != null));
  return [
    { name: callerName(apiKey, c.env), limit: ofKey },
    { name: `network ${subscriberNetwork(c.env.ip)}`, limit: perNetwork },
    ...[...wallets].map((wallet) => ({ name: `wallet ${wallet}`, limit: perWallet })),
  ];
}

async function subscriptionOf(context: BaseContext<Deps>): Promise<Subscription> {
  const after = await resumeAfter(context);
  return {
    viewer: viewerOf(context.caller),
    holders: await holdersOf(context),
    sessionId: context.caller.sessionId,
    resumeAfter: after,
  };
}

const followingOf = ({
  tickers = [],
  channels,
}: z.output<typeof streamQuerySchema>): Following => ({
  tickers,
  channels: channels ?? ['market'],
});

export function socketRoute(streams: StreamHub): Route<Deps> {
  return route({
    method: 'GET',
    path: '/v1/ws',
    operationId: 'openSocket',
    summary: 'Open a WebSocket for live updates',
    description:
      'The events of `/v1/stream` over a WebSocket, on which the client can change what it follows; ' +
      '`/v1/asyncapi.json` describes the messages. Programs send their credentials in the headers of ' +
      'the handshake. Browsers, which cannot, send none: their first message is `authenticate`.',
    tags: ['Stream'],
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    rateClass: 'read',
    query: streamQuerySchema,
    response: { contentType: 'application/json' },
    isHandshake: true,
    async handler(context) {
      const { c, query } = context;
      const { acceptSocket } = c.env;
      if (!acceptSocket) {
        c.header('upgrade', 'websocket');
        throw new ServiceError('upgrade_required', 'Open a WebSocket at this address.');
      }
      const shares = sharesOf(context);
      streams.requireRoom(shares);
      const subscription = await subscriptionOf(context);
      acceptSocket(async (outlet) => {
        const stream = streams.openOn(shares, subscription, outlet);
        await stream.follow(followingOf(query));
        return stream;
      });
      return c.body(null, 204);
    },
  });
}

export function streamRoute(streams: StreamHub): Route<Deps> {
  return route({
    method: 'GET',
    path: '/v1/stream',
    operationId: 'openStream',
    summary: 'Stream live updates',
    description:
      'Server-sent events. `order` reports a change of an order visible to the caller; ' +
      '`market` contains a market that changed, `book` its order book or what changed in it, `trade` a ' +
      'trade in it, `price` its best prices, as `channels` asks; `account` reports that USDC or outcome tokens ' +
      'entered or left the signed-in wallet or its smart account; `saved` that the wallet changed what ' +
      'it saved in a browser. Resume with the header Last-Event-ID.',
    tags: ['Stream'],
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    rateClass: 'read',
    query: streamQuerySchema,
    response: { contentType: 'text/event-stream' },
    async handler(context) {
      const { query, c } = context;
      const body = await streams.open(
        sharesOf(context),
        await subscriptionOf(context),
        followingOf(query),
      );
      return c.body(body, 200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
    },
  });
}

import type { ExchangeTiming } from '../../platform/config/exchange.ts';
import type {
  ExchangeShards,
  FindTransferOutcome,
  ShardBalance,
  ShardStatus,
  ShardTransferRequest,
  TransferOutcome,
} from '../port.ts';
import { pages, unlessMissing } from './archive.ts';
import { errorCodeOf, type HttpClient, type HttpResponseBody } from './httpClient.ts';
import { CLOCK_MARGIN_MS, readsKnownThrough } from './readTime.ts';
import { asList, asWire, decimalMicros, flag, moment, text, type Wire } from './wire.ts';

const PATH = '/portfolio/intra_exchange_instance_transfer';
const LIST_PATH = '/portfolio/intra_exchange_instance_transfers';
const ALLOCATION_PATH = '/portfolio/target_balance_allocation';
/** Transfers are requested in centicents. */
const CENTICENT_MICROS = 100n;
/** Conflicts that prove that nothing happened; any other may follow an accepted transfer. */
const REFUSED_CONFLICTS = ['exchange_is_paused', 'trading_is_paused', 'insufficient_balance'];

/** Cash per shard, and its transfers from one shard to another. */
export function createShards(
  http: HttpClient,
  timing: ExchangeTiming,
  now = Date.now,
): ExchangeShards {
  const read = () => http.get('/portfolio/balance', {}, { isKeyed: true });
  return {
    async getBalanceMicros() {
      return readBalance(await read());
    },

    async listBalances() {
      return readBalances(await read());
    },

    async transferCash(request) {
      const response = await http.post(PATH, {
        signedAt: request.storedAt,
        requests: 1,
        body: async () => ((await request.mayBeSent()) ? transferWire(request) : undefined),
      });
      return transferOutcome(response);
    },

    async findTransfer(query): Promise<FindTransferOutcome> {
      // Read before the list, so that the list is at least as new.
      const { theirs, ours } = await readsKnownThrough(http, now);
      const earliest = query.storedAt.getTime() - CLOCK_MARGIN_MS;
      for await (const wire of pages(http, LIST_PATH, {}, 'transfers')) {
        const exchangeTransferId = text(wire, 'transfer_id');
        if (query.isTaken(exchangeTransferId) || !isSame(wire, query)) continue;
        // The list may date transfers in whole seconds; without a date, the amount decides.
        const createdAt = moment(wire.created_ts)?.getTime();
        if (createdAt !== undefined && createdAt < earliest) continue;
        return { kind: 'found', exchangeTransferId, isComplete: isComplete(wire) };
      }
      const isOver = Math.min(theirs, ours) >= query.storedAt.getTime() + timing.absenceMs;
      return isOver ? { kind: 'absent' } : { kind: 'not_yet_known' };
    },

    async isAllocatedByExchange() {
      const body = await unlessMissing(() => http.get(ALLOCATION_PATH, {}, { isKeyed: true }));
      return isAllocated(body ?? {});
    },

    async isTransferComplete(exchangeTransferId) {
      const path = `${LIST_PATH}/${encodeURIComponent(exchangeTransferId)}`;
      const body = await http.get(path, {}, { isKeyed: true });
      return isComplete(asWire(body.transfer));
    },
  };
}

export function isAllocated(body: Wire): boolean {
  return asList(body.allocations).length > 0;
}

/** The shard of a market, an event or an order; older records name none. */
export function shardOf(wire: Wire): number {
  return readShard(wire.exchange_index) ?? 0;
}

function readShard(value: unknown): number | undefined {
  const shard = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof shard === 'number' && Number.isInteger(shard) && shard >= 0 ? shard : undefined;
}

/** Of each shard; without a breakdown, all cash is on the default one. */
export function readBalances(body: Wire): ShardBalance[] {
  const balances = asList(body.balance_breakdown).map((item): ShardBalance => {
    const wire = asWire(item);
    const shard = readShard(wire.exchange_index);
    const balanceMicros = decimalMicros(wire.balance);
    if (shard === undefined || balanceMicros === undefined) {
      throw new TypeError('the exchange answered an unreadable balance of a shard');
    }
    return { shard, balanceMicros };
  });
  return balances.length > 0 ? balances : [{ shard: 0, balanceMicros: readBalance(body) }];
}

/** The account's cash on all shards. */
function readBalance(body: Wire): bigint {
  const exact = decimalMicros(body.balance_dollars);
  if (exact !== undefined) return exact;
  // Older payloads have whole cents only.
  const cents = decimalMicros(body.balance);
  if (cents === undefined) throw new TypeError('the exchange answered no balance');
  return cents / 100n;
}

/** Older statuses name no shards. */
export function readShardStatuses(body: Wire): ShardStatus[] {
  return asList(body.exchange_index_statuses).flatMap((item): ShardStatus[] => {
    const wire = asWire(item);
    const shard = readShard(wire.exchange_index);
    if (shard === undefined) return [];
    const exchangeActive = flag(wire, 'exchange_active');
    return [
      {
        shard,
        name: text(wire, 'description'),
        exchangeActive,
        tradingActive: exchangeActive && flag(wire, 'trading_active'),
        transfersActive: exchangeActive && wire.intra_exchange_transfers_active !== false,
      },
    ];
  });
}

function transferWire({ source, destination, amountMicros }: ShardTransferRequest): object {
  return {
    source: 'event_contract',
    destination: 'event_contract',
    amount: Number(amountMicros / CENTICENT_MICROS),
    source_exchange_shard: source,
    destination_exchange_shard: destination,
  };
}

/** No response, a 5xx, and a conflict of unknown meaning are unknown: the cash may have left. */
export function transferOutcome(response: HttpResponseBody): TransferOutcome {
  if (response.kind === 'unheard') return { kind: 'unknown', code: response.code };
  const { status, body } = response;
  const code = errorCodeOf(body) || `http_${status}`;
  if (status < 300) {
    const exchangeTransferId = text(body, 'transfer_id');
    return exchangeTransferId === ''
      ? { kind: 'unknown', code: 'unreadable_answer' }
      : { kind: 'accepted', exchangeTransferId };
  }
  if (status >= 500 || status === 408) return { kind: 'unknown', code };
  if (status === 409 && !REFUSED_CONFLICTS.includes(code.toLowerCase())) {
    return { kind: 'unknown', code };
  }
  return { kind: 'refused', code };
}

function isSame(
  wire: Wire,
  {
    source,
    destination,
    amountMicros,
  }: Pick<ShardTransferRequest, 'source' | 'destination' | 'amountMicros'>,
): boolean {
  return (
    readShard(wire.source_exchange_shard) === source &&
    readShard(wire.destination_exchange_shard) === destination &&
    decimalMicros(wire.amount) === amountMicros
  );
}

function isComplete(wire: Wire): boolean {
  return text(wire, 'status').toLowerCase() === 'complete';
}

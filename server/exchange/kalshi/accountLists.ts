import type { Log } from '../../platform/log.ts';
import type {
  ExchangeOrder,
  ExchangePosition,
  ExchangeSettlement,
  ExchangeTrading,
} from '../port.ts';
import { type createOwnLists, pages } from './archive.ts';
import type { HttpClient } from './httpClient.ts';
import { readOrder, readSettlement } from './ownRecords.ts';
import { signedCountMicros, text } from './wire.ts';

/** All of the account's records, for reconciliation. What cannot be read is logged, never guessed. */
export function createAccountLists(
  http: HttpClient,
  own: ReturnType<typeof createOwnLists>,
  log: Log,
): Pick<ExchangeTrading, 'listPositions' | 'listOrders' | 'listSettlements'> {
  return {
    async listPositions() {
      const positions: ExchangePosition[] = [];
      const rows = pages(http, '/portfolio/positions', {}, 'market_positions');
      for await (const wire of rows) {
        const ticker = text(wire, 'ticker', 'market_ticker');
        const netContractMicros = signedCountMicros(wire, 'position');
        if (ticker === '' || netContractMicros === undefined) {
          log.error({ ticker }, 'a position of ours cannot be read');
        } else if (netContractMicros !== 0n) positions.push({ ticker, netContractMicros });
      }
      return positions;
    },

    async listOrders({ since }) {
      const orders = new Map<string, ExchangeOrder>();
      for await (const wire of own.orders(since)) {
        const clientOrderId = text(wire, 'client_order_id');
        const ticker = text(wire, 'ticker', 'market_ticker');
        const order = readOrder(wire);
        if (order?.kind !== 'found')
          log.error({ clientOrderId }, 'an order of ours cannot be read');
        else {
          const { exchangeOrderId, filledContractMicros } = order;
          orders.set(exchangeOrderId, { clientOrderId, ticker, filledContractMicros });
        }
      }
      return [...orders.values()];
    },

    async listSettlements({ since, ticker }) {
      const query = {
        min_ts: Math.floor(since.getTime() / 1000),
        ...(ticker === undefined ? {} : { ticker }),
      };
      const settlements: ExchangeSettlement[] = [];
      for await (const wire of pages(http, '/portfolio/settlements', query, 'settlements')) {
        const settlement = readSettlement(wire);
        if (settlement) settlements.push(settlement);
        else log.error({ ticker: text(wire, 'ticker') }, 'a settlement of ours cannot be read');
      }
      return settlements;
    },
  };
}

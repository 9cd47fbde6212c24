import { countMicros, text, type Wire } from './wire.ts';

/** Orders whose fills are buffered, including orders of other processes. */
const MOST_ORDERS = 2_000;

export type FillBuffer = {
  add(fill: Wire): void;
  /** Whether the feed delivers fills now; otherwise waiting for them is pointless. */
  setHearing(isHearing: boolean): void;
  /**
   * The fills of an order once they add up to exactly `contractMicros`; undefined when they do not
   * within `patienceMs`.
   */
  whenComplete(
    exchangeOrderId: string,
    contractMicros: bigint,
    timeoutMs: number,
  ): Promise<Wire[] | undefined>;
};

/** Buffers fills from the feed until their order requests them. */
export function createFillBuffer(): FillBuffer {
  const byOrder = new Map<string, Map<string, Wire>>();
  const waiting = new Map<string, () => void>();
  let isHearing = false;

  const completeFills = (exchangeOrderId: string, contractMicros: bigint): Wire[] | undefined => {
    const fills = [...(byOrder.get(exchangeOrderId)?.values() ?? [])];
    const sum = fills.reduce((total, fill) => total + (countMicros(fill, 'count') ?? 0n), 0n);
    if (sum !== contractMicros) return undefined;
    byOrder.delete(exchangeOrderId);
    return fills;
  };

  return {
    add(fill) {
      const exchangeOrderId = text(fill, 'order_id');
      const fillId = text(fill, 'trade_id', 'fill_id');
      if (exchangeOrderId === '' || fillId === '') return;
      const fills = byOrder.get(exchangeOrderId) ?? new Map<string, Wire>();
      byOrder.set(exchangeOrderId, fills.set(fillId, fill));
      const [oldest] = byOrder.keys();
      if (byOrder.size > MOST_ORDERS && oldest !== undefined) byOrder.delete(oldest);
      waiting.get(exchangeOrderId)?.();
    },

    setHearing(now) {
      isHearing = now;
    },

    whenComplete(exchangeOrderId, contractMicros, timeoutMs) {
      const fills = completeFills(exchangeOrderId, contractMicros);
      if (fills || !isHearing) return Promise.resolve(fills);
      return new Promise((resolve) => {
        const end = (found: Wire[] | undefined) => {
          clearTimeout(timer);
          waiting.delete(exchangeOrderId);
          resolve(found);
        };
        const timer = setTimeout(end, timeoutMs, undefined);
        waiting.set(exchangeOrderId, () => {
          const found = completeFills(exchangeOrderId, contractMicros);
          if (found) end(found);
        });
      });
    },
  };
}

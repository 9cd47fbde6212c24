import type { OrderPreview } from '#lib/api/schemas/orderPreview.ts';
import { estimateOrder } from './estimateOrder.ts';
import { findBlockers, readOnMarket } from './findBlockers.ts';
import type { PreviewFacts } from './previewFacts.ts';
import {
  type PreviewCaller,
  type PreviewDeps,
  type Previewed,
  readPreviewFacts,
} from './readPreviewFacts.ts';
import { serializePreview } from './serializePreview.ts';

/**
 * What would happen to an order now: everything that blocks it, what it would cost, and what must
 * be signed. Stores nothing.
 * @throws {ServiceError} chain_unavailable
 */
export async function previewOrder(
  deps: PreviewDeps,
  caller: PreviewCaller,
  previewed: Previewed,
): Promise<OrderPreview> {
  return serializePreview(assess(await readPreviewFacts(deps, caller, previewed)));
}

/** The pure part: what these facts mean for the order. */
export function assess(facts: PreviewFacts) {
  const onMarket = readOnMarket(facts);
  const { trade } = onMarket;
  const estimate = trade && estimateOrder(trade, facts);
  return { facts, trade, estimate, blockers: findBlockers(facts, onMarket, estimate) };
}

import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { FactName, Need, NeededFacts } from '../steps/facts.ts';
import type { StepDeps } from './stepDeps.ts';

/** How each fact is read, or the action performed that produces it. */
export type FactReaders<Name extends FactName> = {
  [Fact in Name]: (deps: StepDeps, order: OrderRow, need: Need<Fact>) => Promise<NeededFacts[Fact]>;
};

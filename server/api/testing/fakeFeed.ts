import type {
  MarketFeed,
  MarketsChanged,
} from '../../domain/markets/catalogue/changes/marketFeed.ts';

/** A feed whose changes a test makes. */
export class FakeFeed implements MarketFeed {
  current = true;
  private changes = 0;
  private readonly listeners: ((changed: MarketsChanged) => void)[] = [];

  isCurrent = () => this.current;
  version = () => this.changes;
  stop = () => undefined;

  onChange(listener: (changed: MarketsChanged) => void): void {
    this.listeners.push(listener);
  }

  change(changed: MarketsChanged): void {
    this.changes += 1;
    for (const listener of this.listeners) listener(changed);
  }
}

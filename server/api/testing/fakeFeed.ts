import type {
  MarketFeed,
  MarketsChanged,
} from '../../domain/markets/catalogue/changes/marketFeed.ts';

/** A feed whose changes a test tells. */
export class FakeFeed implements MarketFeed {
  current = true;
  private told = 0;
  private readonly listeners: ((changed: MarketsChanged) => void)[] = [];

  isCurrent = () => this.current;
  version = () => this.told;
  stop = () => undefined;

  onChange(listener: (changed: MarketsChanged) => void): void {
    this.listeners.push(listener);
  }

  tell(changed: MarketsChanged): void {
    this.told += 1;
    for (const listener of this.listeners) listener(changed);
  }
}

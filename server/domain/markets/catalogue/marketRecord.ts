import { getTableColumns } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { MICROS } from '#lib/money.ts';
import {
  type events,
  markets,
  type StoredMilestone,
} from '#server/platform/database/schema/markets.ts';
import type { EventRecord, MarketRecord, Milestone } from './types.ts';

/** The columns of a record, without the mirror's internal ones. */
export const marketColumns = recordColumns();

type MarketRow = SelectResultFields<typeof marketColumns>;
type EventRow = typeof events.$inferSelect;

function recordColumns() {
  const {
    yesTokenId: _yes,
    noTokenId: _no,
    syncedAt: _synced,
    historyReadAt: _history,
    finalSeenAt: _final,
    contentHash: _hash,
    ...columns
  } = getTableColumns(markets);
  return columns;
}

/** Maps a mirrored row to the domain's record; No prices are a dollar minus Yes prices. */
export function marketRecordOf(row: MarketRow): MarketRecord {
  return {
    ...row,
    noBidMicros: complement(row.yesAskMicros),
    noAskMicros: complement(row.yesBidMicros),
  };
}

export function eventRecordOf(row: EventRow): EventRecord {
  return {
    eventTicker: row.ticker,
    seriesTicker: row.seriesTicker,
    seriesTitle: row.seriesTitle,
    title: row.title,
    subtitle: row.subtitle,
    category: row.category,
    frequency: row.frequency,
    mutuallyExclusive: row.mutuallyExclusive,
    totalVolumeContractMicros: row.volumeContractMicros,
    totalMarketCount: row.totalMarketCount,
    activeMarketCount: row.activeMarketCount,
    iconUrlDarkMode: row.iconUrlDarkMode,
    iconUrlLightMode: row.iconUrlLightMode,
    backgroundColorDarkMode: row.backgroundColorDarkMode,
    backgroundColorLightMode: row.backgroundColorLightMode,
  };
}

export function milestoneOf({ startsAt, endsAt, ...rest }: StoredMilestone): Milestone {
  return {
    ...rest,
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
  };
}

function complement(priceMicros: bigint | null): bigint | null {
  return priceMicros === null ? null : MICROS - priceMicros;
}

import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { relayBudgets } from '#server/platform/database/schema/relay.ts';
import { ServiceError } from '#server/platform/errors.ts';

/** What the service pays at most. A day and an hour begin in UTC. */
export type RelayLimits = {
  messagesPerAccountDay: number;
  usdMicrosPerAccountDay: bigint;
  usdMicrosPerHour: bigint;
};

type Budget = {
  scope: string;
  period: 'day' | 'hour';
  usdMicros: bigint;
  messages: number | undefined;
};

const EVERYONE = '*';

/**
 * Takes the fee of one message from the account's day and from everyone's hour, in the transaction
 * that stores the message. Each is one conditional statement, so concurrent messages cannot exceed
 * them. A message that fails later is not given back: it may have cost as much.
 * @throws {ServiceError} relay_limit_reached
 */
export async function spendRelayBudget(
  tx: Queryable,
  limits: RelayLimits,
  account: string,
  feeUsdMicros: bigint,
): Promise<void> {
  const own: Budget = {
    scope: account,
    period: 'day',
    usdMicros: limits.usdMicrosPerAccountDay,
    messages: limits.messagesPerAccountDay,
  };
  const shared: Budget = {
    scope: EVERYONE,
    period: 'hour',
    usdMicros: limits.usdMicrosPerHour,
    messages: undefined,
  };
  if (!(await spend(tx, own, feeUsdMicros))) {
    throw reached('Crossbook has paid the network fees of this account for today.', 'day');
  }
  if (!(await spend(tx, shared, feeUsdMicros))) {
    throw reached('Crossbook has paid what it pays in network fees per hour.', 'hour');
  }
}

function reached(what: string, period: Budget['period']): ServiceError {
  const lengthMs = period === 'day' ? 86_400_000 : 3_600_000;
  return new ServiceError(
    'relay_limit_reached',
    `${what} Nothing was sent. Send the transaction from your wallet, or try again later.`,
    { retryAfterSeconds: Math.ceil((lengthMs - (Date.now() % lengthMs)) / 1_000) },
  );
}

async function spend(tx: Queryable, budget: Budget, feeUsdMicros: bigint): Promise<boolean> {
  if (feeUsdMicros > budget.usdMicros) return false;
  const { periodStart, usedCount, usedUsdMicros } = relayBudgets;
  const isSame = sql`${periodStart} = excluded.period_start`;
  const rows = await tx
    .insert(relayBudgets)
    .values({
      scope: budget.scope,
      periodStart: startOf(budget.period),
      usedCount: 1,
      usedUsdMicros: feeUsdMicros,
    })
    .onConflictDoUpdate({
      target: relayBudgets.scope,
      set: {
        periodStart: sql`excluded.period_start`,
        usedCount: sql`case when ${isSame} then ${usedCount} + 1 else 1 end`,
        usedUsdMicros: sql`excluded.used_usd_micros
          + case when ${isSame} then ${usedUsdMicros} else 0 end`,
      },
      setWhere: sql`not ${isSame} or (
        ${usedCount} < ${budget.messages ?? 1_000_000_000}
        and ${usedUsdMicros} + excluded.used_usd_micros <= ${budget.usdMicros})`,
    })
    .returning({ scope: relayBudgets.scope });
  return rows.length === 1;
}

/**
 * Takes what a sent message cost beyond its estimate: a smart wallet can make its signature check
 * cost more than a simulation shows. Its next messages find that much less.
 */
export async function spendExcess(
  tx: Queryable,
  account: string,
  excessUsdMicros: bigint,
): Promise<void> {
  if (excessUsdMicros <= 0n) return;
  const { scope, usedUsdMicros } = relayBudgets;
  await tx
    .update(relayBudgets)
    .set({ usedUsdMicros: sql`${usedUsdMicros} + ${excessUsdMicros}` })
    .where(isOneOf(scope, [account, EVERYONE]));
}

/** Of the usual 20 a day, three reverts leave none. */
const MESSAGES_PER_REVERT = 7;

/**
 * Counts a message that was simulated well and reverted on chain as several, so that an account that
 * repeats this has nothing sent until the next day.
 */
export async function countRevert(tx: Queryable, account: string): Promise<void> {
  const { scope, usedCount } = relayBudgets;
  await tx
    .update(relayBudgets)
    .set({ usedCount: sql`${usedCount} + ${MESSAGES_PER_REVERT - 1}` })
    .where(eq(scope, account));
}

/** What is left of the account's day. */
export async function readRelayBudget(
  db: Queryable,
  limits: RelayLimits,
  account: string,
): Promise<{ messages: number; usdMicros: bigint }> {
  const [row] = await db
    .select({
      used: relayBudgets.usedCount,
      usdMicros: relayBudgets.usedUsdMicros,
      isToday: sql<boolean>`${relayBudgets.periodStart} = ${startOf('day')}`,
    })
    .from(relayBudgets)
    .where(eq(relayBudgets.scope, account));
  const { messagesPerAccountDay: messages, usdMicrosPerAccountDay: usdMicros } = limits;
  if (!row?.isToday) return { messages, usdMicros };
  const left = usdMicros - row.usdMicros;
  return {
    messages: Math.max(0, messages - row.used),
    usdMicros: left > 0n ? left : 0n,
  };
}

function startOf(period: Budget['period']) {
  return sql<Date>`date_trunc(${sql.raw(`'${period}'`)}, now(), 'UTC')`;
}

import { chainStalled } from './chain-stalled.ts';
import { databaseFailover } from './database-failover.ts';
import { databaseRestored } from './database-restored.ts';
import type { Drill } from './drill.ts';
import { exchangeDown } from './exchange-down.ts';
import { marketSettledWrongly } from './market-settled-wrongly.ts';
import { operatorKeyLeaked } from './operator-key-leaked.ts';
import { pointInTimeRecovery } from './point-in-time-recovery.ts';
import { reconciliationDifference } from './reconciliation-difference.ts';

/** One for each runbook. */
export const DRILLS: readonly Drill[] = [
  exchangeDown,
  chainStalled,
  operatorKeyLeaked,
  databaseRestored,
  databaseFailover,
  pointInTimeRecovery,
  reconciliationDifference,
  marketSettledWrongly,
];

import { bigint, timestamp } from 'drizzle-orm/pg-core';

/** A moment, to the millisecond. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** PostgreSQL's `int8` as a `bigint`. */
export const int8 = (name: string) => bigint(name, { mode: 'bigint' });

/** An amount in millionths of its unit. */
export const micros = int8;

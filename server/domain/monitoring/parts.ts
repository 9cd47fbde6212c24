import type { Gauge } from 'prom-client';
import type { Address } from 'viem';
import type { Chain } from '../../chain/client.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Database } from '../../platform/database/client.ts';
import { gauge } from '../../platform/metrics/registry.ts';

export type ServiceDeps = {
  database: Database;
  chain: Chain;
  exchange: Exchange;
  /** Keys that send transactions now, named without their addresses: `operator-1`, `attestor`. */
  signers: () => readonly { name: string; address: Address }[];
};

/**
 * One part of the service: reads it and returns the values of its gauges. Values that are no longer
 * returned are removed.
 */
export type Part = {
  name: string;
  /** A scrape within this time reuses the last result. */
  freshMs: number;
  gauges: readonly Gauge<string>[];
  read: () => Promise<readonly Sample[]>;
};

type Sample = { gauge: Gauge<string>; labels?: Record<string, string>; value: number };

const FRESH_MS = 5_000;

export function part(
  name: string,
  gauges: Part['gauges'],
  read: Part['read'],
  freshMs = FRESH_MS,
): Part {
  return { name, freshMs, gauges, read };
}

/** A gauge by its name without the prefix, its help text and its labels. */
export function shown(name: string, help: string, labels: readonly string[] = []): Gauge<string> {
  return gauge(`crossbook_${name}`, help, labels);
}

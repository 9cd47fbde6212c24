/** The resources of a deployment per second, and what an order uses of them. */
export type Limits = {
  /** Tokens a second of the exchange; every request takes `EXCHANGE_TOKENS`. */
  exchangeWriteTokens: number;
  exchangeReadTokens: number;
  blockSeconds: number;
  /** Gas of a block that may be ours. */
  blockGas: number;
  /** One transaction is in flight for each key. */
  operatorKeys: number;
  attestorKeys: number;
  /** Our processor time of an order, over all processes, and the cores there are for it. */
  cpuSecondsOfOrder: number;
  cores: number;
};

export type Outcome = {
  ordersPerSecond: number;
  /** The used share of each resource. */
  used: Record<Resource, number>;
  /** The exhausted resource. */
  binding: Resource;
};

export type Resource =
  | 'exchange writes'
  | 'exchange reads'
  | 'operator keys'
  | 'attestor keys'
  | 'block gas'
  | 'processor';

const EXCHANGE_TOKENS = 10;
/** The market before placing; fills arrive on the feed, and fees are cached. */
const READS_OF_ORDER = 1;
const BATCH = { request: 20, attest: 200, fill: 20 } as const;
/** Gas of one in a full batch; see docs/CONTRACTS.md. */
const GAS = { request: 60_030, attest: 12_000, fill: 32_833 } as const;
/** From sending to a confirmed receipt, besides waiting for the block. */
const SEND_SECONDS = 0.3;
const STEP_SECONDS = 0.01;
const WARM_UP_SECONDS = 60;
const MEASURED_SECONDS = 240;
const QUEUED = 5_000;

/** A rate that may be saved up for a second, as the exchange's buckets allow. */
class Bucket {
  used = 0;
  private level: number;
  private readonly perSecond: number;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.level = perSecond;
  }

  pass(seconds: number): void {
    this.level = Math.min(this.perSecond, this.level + this.perSecond * seconds);
  }

  take(cost: number): boolean {
    if (this.level < cost) return false;
    this.level -= cost;
    this.used += cost;
    return true;
  }
}

type Kind = keyof typeof BATCH;
type Key = { kinds: readonly Kind[]; role: 'operator' | 'attestor'; freeAt: number; next: number };

/**
 * Simulates orders through their stages under these limits, with always more waiting than can be
 * accepted; returns the throughput and the limiting resource.
 */
export function simulate(limits: Limits): Outcome {
  const writes = new Bucket(limits.exchangeWriteTokens);
  const reads = new Bucket(limits.exchangeReadTokens);
  const cpu = new Bucket(limits.cores);
  const waiting: Record<Kind | 'place', number> = { request: QUEUED, place: 0, attest: 0, fill: 0 };
  const mined: { at: number; kind: Kind; count: number }[] = [];
  const keys = keysOf(limits);
  const busy = { operator: 0, attestor: 0 };
  let gasLeft = limits.blockGas;
  let gasUsed = 0;
  let block = 0;
  let done = 0;

  for (let now = 0; now < WARM_UP_SECONDS + MEASURED_SECONDS; now += STEP_SECONDS) {
    const isMeasured = now >= WARM_UP_SECONDS;
    if (Math.abs(now - WARM_UP_SECONDS) < STEP_SECONDS / 2) {
      for (const bucket of [writes, reads, cpu]) bucket.used = 0;
      gasUsed = 0;
    }
    for (const bucket of [writes, reads, cpu]) bucket.pass(STEP_SECONDS);
    if (now >= block + limits.blockSeconds) {
      block += limits.blockSeconds;
      gasLeft = limits.blockGas;
    }
    for (const batch of takeDue(mined, now)) {
      if (batch.kind === 'request') waiting.place += batch.count;
      if (batch.kind === 'attest') waiting.fill += batch.count;
      if (batch.kind === 'fill' && isMeasured) done += batch.count;
    }
    while (waiting.place > 0 && canPlace(writes, reads, cpu, limits)) {
      waiting.place -= 1;
      waiting.attest += 1;
    }
    waiting.request = Math.max(waiting.request, QUEUED - waiting.place - waiting.attest);
    for (const key of keys) {
      if (key.freeAt > now) {
        if (isMeasured) busy[key.role] += STEP_SECONDS;
        continue;
      }
      const sent = sendBatch(key, waiting, gasLeft);
      if (!sent) continue;
      gasLeft -= sent.gas;
      gasUsed += sent.gas;
      key.freeAt = block + limits.blockSeconds + SEND_SECONDS;
      mined.push({ at: key.freeAt, kind: sent.kind, count: sent.count });
    }
  }
  const used: Record<Resource, number> = {
    'exchange writes': writes.used / (limits.exchangeWriteTokens * MEASURED_SECONDS),
    'exchange reads': reads.used / (limits.exchangeReadTokens * MEASURED_SECONDS),
    'operator keys': busy.operator / (limits.operatorKeys * MEASURED_SECONDS),
    'attestor keys': busy.attestor / (limits.attestorKeys * MEASURED_SECONDS),
    'block gas': gasUsed / ((limits.blockGas / limits.blockSeconds) * MEASURED_SECONDS),
    processor: cpu.used / (limits.cores * MEASURED_SECONDS),
  };
  return { ordersPerSecond: done / MEASURED_SECONDS, used, binding: mostUsed(used) };
}

function keysOf(limits: Limits): Key[] {
  const make = (count: number, role: Key['role'], kinds: readonly Kind[]): Key[] =>
    Array.from({ length: count }, () => ({ kinds, role, freeAt: 0, next: 0 }));
  return [
    ...make(limits.operatorKeys, 'operator', ['fill', 'request']),
    ...make(limits.attestorKeys, 'attestor', ['attest']),
  ];
}

function takeDue(mined: { at: number; kind: Kind; count: number }[], now: number) {
  const due = mined.filter((batch) => batch.at <= now);
  for (const batch of due) mined.splice(mined.indexOf(batch), 1);
  return due;
}

function canPlace(writes: Bucket, reads: Bucket, cpu: Bucket, limits: Limits): boolean {
  return (
    reads.take(READS_OF_ORDER * EXCHANGE_TOKENS) &&
    writes.take(EXCHANGE_TOKENS) &&
    cpu.take(limits.cpuSecondsOfOrder)
  );
}

/** Later stages go first; a request only while few orders wait behind it. */
function sendBatch(key: Key, waiting: Record<Kind | 'place', number>, gasLeft: number) {
  for (const kind of key.kinds) {
    if (kind === 'request' && waiting.place > 200) continue;
    const count = Math.min(waiting[kind], BATCH[kind], Math.floor(gasLeft / GAS[kind]));
    if (count === 0) continue;
    waiting[kind] -= count;
    return { kind, count, gas: count * GAS[kind] };
  }
  return undefined;
}

function mostUsed(used: Record<Resource, number>): Resource {
  const sorted = (Object.entries(used) as [Resource, number][]).toSorted((a, b) => b[1] - a[1]);
  return sorted[0]?.[0] ?? 'processor';
}

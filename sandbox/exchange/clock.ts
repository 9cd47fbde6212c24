/**
 * The exchange's time: the machine's clock plus an offset, or frozen; the control endpoint moves
 * it.
 */
export type Clock = {
  now(): number;
  /** Moves the time forward. Moving back would undo settlements and is rejected. */
  advance(milliseconds: number): void;
  freeze(): void;
  run(): void;
  readonly frozen: boolean;
  readonly offsetMs: number;
};

export function createClock(offsetMs = 0, machineNow: () => number = Date.now): Clock {
  let offset = offsetMs;
  let stoppedAt: number | undefined;
  return {
    now: () => stoppedAt ?? machineNow() + offset,
    advance(milliseconds) {
      if (milliseconds < 0) throw new RangeError('the clock only moves forward');
      offset += milliseconds;
      if (stoppedAt !== undefined) stoppedAt += milliseconds;
    },
    freeze() {
      stoppedAt ??= machineNow() + offset;
    },
    run() {
      if (stoppedAt === undefined) return;
      offset = stoppedAt - machineNow();
      stoppedAt = undefined;
    },
    get frozen() {
      return stoppedAt !== undefined;
    },
    get offsetMs() {
      return stoppedAt === undefined ? offset : stoppedAt - machineNow();
    },
  };
}

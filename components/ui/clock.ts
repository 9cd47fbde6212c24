import { useState, useSyncExternalStore } from 'react';

/** One clock for all countdowns of the page; it ticks only while one is mounted. */
const listeners = new Set<() => void>();
let nowMs = 0;
/** The first tick is a task of its own: at once, it would lengthen the page's hydration. */
let timers: ReturnType<typeof setTimeout>[] | undefined;

function tick(): void {
  nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timers ??= [setTimeout(tick), setInterval(tick, 1_000)];
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const timer of timers ?? []) clearInterval(timer);
    timers = undefined;
    // The next to mount must not show the time of the last tick.
    nowMs = 0;
  };
}

/**
 * The time in whole seconds; undefined on the server and while hydrating.
 * @param stepMs the required precision; text in minutes need not re-render every second
 */
export function useNow(stepMs = 1_000): number | undefined {
  const value = useSyncExternalStore(
    subscribe,
    () => nowMs - (nowMs % stepMs),
    () => 0,
  );
  return value === 0 ? undefined : value;
}

export function useSecondsLeft(seconds: number): number {
  const [sinceMs] = useState(() => Date.now());
  const passed = Math.floor(((useNow() ?? sinceMs) - sinceMs) / 1_000);
  return Math.max(0, Math.min(seconds, seconds - passed));
}

const never = () => () => undefined;

/** False on the server and while hydrating, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

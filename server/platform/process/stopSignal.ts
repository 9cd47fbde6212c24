/** Aborted once this process is asked to stop. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  // Started by a supervisor: without it there is nobody left to stop this process.
  if (process.send) process.once('disconnect', () => stop.abort());
  // Unheard, a hangup would end the process.
  process.on('SIGHUP', () => undefined);
  return stop.signal;
}

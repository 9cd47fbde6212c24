/**
 * Loaded into every Node process of the sandbox before its own code: ends the process when its
 * parent dies for any reason.
 */

const TIMEOUT_MS = 4_000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIMEOUT_MS).unref();
});
// The listener must not keep a finished process alive.
process.channel?.unref();

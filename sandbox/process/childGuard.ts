/**
 * Loaded into every Node process of the sandbox before its own code: when the process that started
 * it is gone, by whatever death, this one ends too instead of living on unseen.
 */

const TIMEOUT_MS = 4_000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIMEOUT_MS).unref();
});
// Listening would keep a process alive that has finished its work.
process.channel?.unref();

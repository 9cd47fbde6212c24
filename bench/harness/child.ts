import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Another process of a benchmark: it sends `{ready: …}` over its channel, and ends on request. */
export type Child<Ready> = {
  pid: number;
  ready: Ready;
  send(message: unknown): void;
  stop(): Promise<void>;
};

/** Starts a program of `bench/` in a process of its own. */
export async function startChild<Ready>(
  program: string,
  settings: object,
  onMessage: (message: unknown) => void = () => undefined,
): Promise<Child<Ready>> {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = fork(path, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const ready = new Promise<Ready>((resolve, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) {
        resolve(message.ready as Ready);
      } else onMessage(message);
    });
    exited.then(
      () => reject(new Error(`${program} ended before it was ready`)),
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
  });
  child.send(settings);
  return {
    pid: child.pid ?? 0,
    ready: await ready,
    send: (message) => void child.send(message as object),
    stop: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await exited;
}

/** The settings that the parent process sends first. */
export async function settingsFromParent<Settings>(): Promise<Settings> {
  // The parent process may be killed.
  process.on('disconnect', () => process.exit());
  const [settings] = (await once(process, 'message')) as [Settings];
  return settings;
}

export function notifyParent(message: object): void {
  process.send?.(message);
}

import { connect, createServer, type Socket } from 'node:net';
import { anyFreePort } from '#sandbox/process/ports.ts';

/** A relay before a database, which loses it as a pooler does whose server is gone. */
export type DatabaseRelay = {
  /** The database's address, through the relay. */
  url: string;
  /** From the first statement with this text on, statements wait until their connection is closed. */
  loseAt(text: string): void;
  /** Whether the database is lost. */
  isLost(): boolean;
  restore(): void;
  stop(): Promise<void>;
};

/** @param options.waitMs how long a statement waits for a lost database */
export async function startDatabaseRelay(options: {
  url: string;
  waitMs: number;
}): Promise<DatabaseRelay> {
  const target = new URL(options.url);
  const open = new Set<Socket>();
  let losesAt: string | undefined;
  let isLost = false;
  const relay = createServer((inside) => {
    const outside = connect(Number(target.port), target.hostname);
    const close = () => {
      inside.destroy();
      outside.destroy();
    };
    for (const socket of [inside, outside]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      socket.on('close', close);
    }
    inside.on('data', (sent) => {
      isLost ||= losesAt !== undefined && sent.includes(losesAt);
      if (!isLost) return outside.write(sent);
      return setTimeout(close, options.waitMs).unref();
    });
    outside.pipe(inside);
  });
  const port = await anyFreePort();
  await new Promise<void>((resolve) => {
    relay.listen(port, '127.0.0.1', resolve);
  });
  const through = new URL(options.url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    loseAt: (text) => {
      losesAt = text;
    },
    isLost: () => isLost,
    restore: () => {
      losesAt = undefined;
      isLost = false;
    },
    stop: () =>
      new Promise((resolve) => {
        relay.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

import type { WebSocket } from 'ws';
import type { Outlet } from '../../domain/notifications/stream/outlet.ts';

/** The status with which a connection ends that the client should open again. */
export const GOING_AWAY = 1001;
/** A client that does not take part in closing is cut off. */
const CLOSE_MS = 1_000;

/** Ends a connection, with a bound on how long the client may take. */
export function endSocket(socket: WebSocket, status: number, reason: string): void {
  socket.close(status, reason);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

/** An outlet that sends each message as a text frame. */
export function createSocketOutlet(socket: WebSocket): Outlet {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  return {
    send: (message) => socket.send(message.asSocketText(), { binary: false }),
    beat() {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
    },
    waitingBytes: () => socket.bufferedAmount,
    end: () => endSocket(socket, GOING_AWAY, 'open it again'),
    onGone: (listener) => socket.on('close', listener),
  };
}

import type { Exchange } from '../state.ts';

/** Sends messages of one connection, and loses, swaps or doubles those that the faults name. */
export function createFaultyWire({ clock, faults }: Exchange, send: (text: string) => void) {
  let held: string | undefined;

  function post(message: object): void {
    const text = JSON.stringify({ ...message, sending_ts_ms: clock.now() });
    if (faults.socketDrop > 0 && 'seq' in message) {
      faults.socketDrop -= 1;
      return;
    }
    if (faults.socketSwap > 0 && 'seq' in message && held === undefined) {
      faults.socketSwap -= 1;
      held = text;
      return;
    }
    send(text);
    if (faults.socketDuplicate > 0 && 'seq' in message) {
      faults.socketDuplicate -= 1;
      send(text);
    }
    if (held !== undefined) {
      send(held);
      held = undefined;
    }
  }

  /** Its loss cannot be noticed. */
  function postUnnumbered(message: object): void {
    if (faults.socketDropOwn > 0) faults.socketDropOwn -= 1;
    else post(message);
  }

  return { post, postUnnumbered };
}

import { createBrowserStore } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Whether the end of an order is heard. Off until somebody wants it; kept in the browser. */
const store = createBrowserStore('crossbook.sound', false, (value) => value === true);

export function useOrderSound(): boolean {
  return useStore(store, false);
}

export function chooseOrderSound(isOn: boolean): void {
  store.set(isOn);
  if (isOn) play('completed');
}

/** Heard where it is wanted: two notes upwards for what was carried out, downwards for what was not. */
export function soundOrder(order: { status: string }): void {
  if (!store.get()) return;
  if (order.status === 'completed' || order.status === 'failed') play(order.status);
}

function play(outcome: 'completed' | 'failed'): void {
  // A browser that makes no sound here stays silent; the page has said it in words.
  import('./tones.ts').then((tones) => tones.playTones(outcome)).catch(() => undefined);
}

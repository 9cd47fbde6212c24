import { createBrowserStore } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Whether the end of an order plays a sound. Off by default. */
export const orderSoundStore = createBrowserStore(
  'crossbook.sound',
  false,
  (value) => value === true,
);

export function useOrderSound(): boolean {
  return useStore(orderSoundStore, false);
}

export function chooseOrderSound(isOn: boolean): void {
  orderSoundStore.set(isOn);
  if (isOn) play('completed');
}

/** Two notes, if enabled: rising for a completed order, falling for a failed one. */
export function soundOrder(order: { status: string }): void {
  if (!orderSoundStore.get()) return;
  if (order.status === 'completed' || order.status === 'failed') play(order.status);
}

function play(outcome: 'completed' | 'failed'): void {
  // If the browser plays no sound, the page still shows the message.
  import('./tones.ts').then((tones) => tones.playTones(outcome)).catch(() => undefined);
}

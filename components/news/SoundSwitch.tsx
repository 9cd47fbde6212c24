'use client';

import { chooseOrderSound, useOrderSound } from '#lib/sound/orderSound.ts';

/** Whether the end of an order is heard. */
export function SoundSwitch() {
  const isOn = useOrderSound();
  return (
    <label className="flex min-h-11 items-center gap-3 px-4 text-[14px]">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => chooseOrderSound(event.target.checked)}
        className="size-5 shrink-0 accent-(--ink)"
      />
      Play a sound when an order ends
    </label>
  );
}

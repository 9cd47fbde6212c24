'use client';

import { SwitchField } from '#components/ui/SwitchField.tsx';
import { chooseOrderSound, useOrderSound } from '#lib/browser/sound/orderSound.ts';

/** Whether the end of an order plays a sound. */
export function SoundSwitch() {
  return (
    <div className="px-4">
      <SwitchField isOn={useOrderSound()} onChange={chooseOrderSound}>
        Play a sound when an order completes or fails
      </SwitchField>
    </div>
  );
}

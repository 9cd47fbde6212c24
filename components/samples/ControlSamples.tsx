'use client';

import { useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import type { ButtonTone } from '#components/ui/buttonStyle.ts';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { CheckField, FIELD, Field } from '#components/ui/Field.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';

const TONES: ButtonTone[] = ['primary', 'outline', 'quiet', 'yes', 'no'];
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export function ControlSamples() {
  const [choice, setChoice] = useState<'a' | 'b' | 'c'>('a');
  const [isOn, setIsOn] = useState(true);
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2">
      <div className="grid gap-5">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Button key={tone} tone={tone}>
              {tone}
            </Button>
          ))}
          <Button disabled>disabled</Button>
          <Button tone="primary" disabled>
            <Spinner />
            loading
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button size="s">small</Button>
          <Button size="m">medium</Button>
          <Button size="l">large</Button>
          <CopyButton text={ADDRESS} label="Copy the sample" withWord />
        </div>
        <Segmented
          legend="Sample choice"
          value={choice}
          onChange={setChoice}
          options={[
            { value: 'a', label: 'One' },
            { value: 'b', label: 'Other' },
            { value: 'c', label: 'Third' },
          ]}
        />
        <Field label="A field" hint="With a hint below it.">
          {(id) => <input id={id} placeholder="0" className={FIELD} />}
        </Field>
        <CheckField checked={isOn} onChange={setIsOn}>
          An on/off setting
        </CheckField>
      </div>
      <div className="grid gap-4">
        <Notice title="Information">What happened and whether funds are safe.</Notice>
        <Notice tone="caution" title="Warning">
          Something worth checking before you continue.
        </Notice>
        <Notice
          tone="problem"
          title="Something went wrong"
          action={<Button size="s">Try again</Button>}
        >
          Nothing was sent.
        </Notice>
        <Figures className="sheet p-4">
          <Figure label="Fee">$0.81</Figure>
          <Figure label="You pay" strong>
            $20.00
          </Figure>
          <Figure label="Address">
            <Hex value={ADDRESS} name="sample address" />
          </Figure>
        </Figures>
        <EmptyState title="No items" action={<Button>Next step</Button>}>
          Why the list is empty and what to do next.
        </EmptyState>
      </div>
    </div>
  );
}

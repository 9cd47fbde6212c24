import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { clientOptions, useApp } from '#components/app/useApp.ts';
import { useFullClient } from '#components/app/useFullClient.ts';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { RemovableRow } from '#components/ui/RemovableRow.tsx';
import { Section } from '#components/ui/Section.tsx';
import { AskWalletButton } from '#components/wallet/AskWalletButton.tsx';
import { useSignGrant, useVisitor } from '#components/wallet/useSetup.ts';
import type { Account, AccountGrant } from '#lib/api/schemas/account.ts';
import type { SessionKeyRecord } from '#lib/api/schemas/sessionKey.ts';
import { accountKeys, devicesQuery } from '#lib/browser/queries/account.ts';
import { endOtherSessions } from '#lib/browser/session/endOtherSessions.ts';
import { shortHex } from '#lib/format/address.ts';

/** The devices and programs whose keys sign orders under the permission. */
export function DevicesPanel() {
  const { account, session } = useVisitor();
  const grant = account?.grant;
  if (!session || !account || !grant?.sessionKey || grant.status === 'expired') return null;
  return <Devices key={account.owner} account={account} grant={grant} />;
}

function Devices({ account, grant }: { account: Account; grant: AccountGrant }) {
  const api = useFullClient();
  const devices = useQuery(devicesQuery(api, account.owner));
  const ownKey = useOwnKey(account.owner);
  const [removal, setRemoval] = useState<Removal>();
  const active = devices.data?.keys.filter(({ status }) => status === 'active');
  const isOnChain = grant.status === 'active';
  const isAdded = active?.some(({ key }) => key === ownKey.data);
  return (
    <Section id="devices-heading" title="Devices" className="sheet p-5" headClassName="">
      <p className="mt-1 mb-3 text-14 text-ink-2">
        Each of these signs orders on its own, within the limits of your trading permission. None
        can withdraw. A new permission starts with the device that signs it.
      </p>
      {devices.isPending && <div className="skeleton h-16" role="status" aria-label="Loading" />}
      {active && (
        <ul className="divide-y border-y" aria-label="Devices">
          {active.map((device) => (
            <DeviceRow
              key={device.key}
              device={device}
              account={account}
              isHere={device.key === ownKey.data}
              isRemovable={isOnChain}
              onRemoved={setRemoval}
            />
          ))}
        </ul>
      )}
      <ErrorNotice error={devices.error} className="mt-3" />
      {removal && (
        <div className="mt-3">
          <Notice live>
            {removal.name} is removed. It can place no more orders.{' '}
            {removal.isSignedOut
              ? 'Your other devices are signed out.'
              : 'If you lost it, sign it out under Active sessions, too.'}
          </Notice>
        </div>
      )}
      {isOnChain
        ? isAdded === false && ownKey.isSuccess && <AddDevice />
        : active && (
            <p className="mt-3 text-13 text-ink-3">
              Your permission goes on chain with your next order. Then you can add other devices.
            </p>
          )}
    </Section>
  );
}

/** The key of this browser as the list names it; null without one. */
function useOwnKey(owner: string) {
  return useQuery({
    queryKey: [...accountKeys.devices(owner), 'own'],
    queryFn: async () => {
      const { readOwnKey } = await import('#lib/browser/account/deviceKey.ts');
      return await readOwnKey(owner);
    },
  });
}

/** Adding is a part of signing a permission, which the ticket offers too. */
function AddDevice() {
  const add = useSignGrant();
  return (
    <div className="mt-4 grid gap-3">
      <AskWalletButton
        tone="primary"
        isAsking={add.isPending}
        onAsk={() => add.mutate({ addsDevice: true })}
      >
        Add this device
      </AskWalletButton>
      <ErrorNotice error={add.error} />
    </div>
  );
}

function nameOf({ kind, key, name }: SessionKeyRecord): string {
  if (name !== null) return name;
  return kind === 'secp256k1' ? `Program ${shortHex(key)}` : `Browser ${shortHex(key)}`;
}

/** What was removed, and whether it is certain that it is signed out. */
type Removal = { name: string; isSignedOut: boolean };

type DeviceRowProps = {
  device: SessionKeyRecord;
  account: Account;
  isHere: boolean;
  isRemovable: boolean;
  onRemoved: (removal: Removal) => void;
};

function DeviceRow({ device, account, isHere, isRemovable, onRemoved }: DeviceRowProps) {
  // Programs sign in by themselves, and this device signs itself out.
  const signsOut = device.kind === 'p256' && !isHere;
  const removal = useRemoval(account, device, { signsOut, onRemoved });
  return (
    <RemovableRow
      Icon={device.kind === 'secp256k1' ? Bot : MonitorSmartphone}
      name={nameOf(device)}
      remark={isHere && <span className="font-normal text-ink-3"> · this device</span>}
      title={device.key}
      details={<DeviceTimes device={device} />}
      isRemovable={isRemovable}
      removal={{
        label: 'Remove device',
        consequence: `It can place no more orders from now on. Resting orders stay; stop orders that wait end.${signsOut ? ' Your other devices are signed out.' : ''}${isHere ? ' Add this device again to trade here.' : ''}`,
        onConfirm: () => removal.mutate(),
        isPending: removal.isPending,
        error: removal.error,
      }}
    />
  );
}

function DeviceTimes({ device: { kind, addedAt, lastUsedAt } }: { device: SessionKeyRecord }) {
  return (
    <>
      {kind === 'secp256k1' ? 'Program' : 'Browser'}
      {addedAt !== null && (
        <>
          {' '}
          · added <LocalTime at={addedAt} />
        </>
      )}
      {' · '}
      {lastUsedAt === null ? (
        'not used yet'
      ) : (
        <>
          last used <LocalTime at={lastUsedAt} />
        </>
      )}
    </>
  );
}

function useRemoval(
  account: Account,
  device: SessionKeyRecord,
  { signsOut, onRemoved }: Pick<DeviceRowProps, 'onRemoved'> & { signsOut: boolean },
) {
  const { api, site } = useApp();
  const fullApi = useFullClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { removeDevice } = await import('#lib/browser/account/devices.ts');
      await removeDevice({ api, site, client: clientOptions(site) }, account, device);
      const isSignedOut =
        signsOut &&
        (await endOtherSessions(fullApi).then(
          () => true,
          () => false,
        ));
      // Before the row is gone, and with it what waits for this.
      onRemoved({ name: nameOf(device), isSignedOut });
      await queryClient.invalidateQueries({ queryKey: accountKeys.all });
    },
  });
}

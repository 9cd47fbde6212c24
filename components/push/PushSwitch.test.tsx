import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import type { PushState } from '#lib/api/schemas/push.ts';
import { PushSwitch } from './PushSwitch.tsx';

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const KEY = Buffer.from([4, ...Array.from({ length: 64 }, (_, index) => index)]);
const PUBLIC_KEY = KEY.toString('base64url');
const ENDPOINT = 'https://push.example/send/1';
const FINGERPRINT = Buffer.from(
  await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ENDPOINT)),
).toString('hex');

const api = { getPushState: vi.fn(), subscribePush: vi.fn(), unsubscribePush: vi.fn() };
vi.mock('#components/app/useFullClient.ts', () => ({ useFullClient: () => api }));

/** The service's state, changed by the calls as in the service. */
let state: PushState;
/** The browser's state. */
let subscription: object | null;
let client: QueryClient;
const { container: page, render: renderPage } = testRoot();

const request = vi.fn();

function stubBrowser(permission: NotificationPermission): void {
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription),
    subscribe: () => {
      subscription = {
        endpoint: ENDPOINT,
        options: { applicationServerKey: new Uint8Array(KEY).buffer },
        toJSON: () => ({ endpoint: ENDPOINT, keys: {} }),
        unsubscribe: () => {
          subscription = null;
          return Promise.resolve(true);
        },
      };
      return Promise.resolve(subscription);
    },
  };
  const registration = { pushManager };
  vi.stubGlobal('navigator', {
    serviceWorker: {
      getRegistration: () => Promise.resolve(registration),
      register: () => Promise.resolve(registration),
      ready: Promise.resolve(registration),
    },
  });
  vi.stubGlobal('PushManager', {});
  vi.stubGlobal('Notification', { permission, requestPermission: request });
}

async function render(): Promise<void> {
  client = new QueryClient();
  await renderPage(
    <QueryClientProvider client={client}>
      <PushSwitch owner={OWNER} />
    </QueryClientProvider>,
  );
  await settle();
}

/** Waits until no request or render is pending. */
const settle = () =>
  act(() => vi.waitFor(() => expect(client.isFetching() + client.isMutating()).toBe(0)));
const control = () => page.querySelector<HTMLInputElement>('[role=switch]');

async function press(): Promise<void> {
  await act(async () => control()?.click());
  await settle();
}

// By default subscribers of a query are notified one timer later.
notifyManager.setScheduler(queueMicrotask);

beforeEach(() => {
  subscription = null;
  state = { publicKey: PUBLIC_KEY, subscriptions: [] };
  request.mockReset().mockResolvedValue('granted');
  api.getPushState.mockReset().mockImplementation(() => Promise.resolve(structuredClone(state)));
  api.subscribePush.mockReset().mockImplementation(() => {
    state.subscriptions = [{ id: 'ps_1', fingerprint: FINGERPRINT } as never];
    return Promise.resolve({});
  });
  api.unsubscribePush.mockReset().mockImplementation(() => {
    state.subscriptions = [];
    return Promise.resolve({});
  });
});

it('a press asks for permission and turns notifications on, another turns them off', async () => {
  stubBrowser('default');
  await render();
  expect(control()?.checked).toBe(false);
  expect(request).not.toHaveBeenCalled();
  await press();
  expect(request).toHaveBeenCalledOnce();
  expect(api.subscribePush).toHaveBeenCalledWith({ endpoint: ENDPOINT, keys: {} });
  expect(control()?.checked).toBe(true);
  expect(page.textContent).toContain('even when Crossbook is closed');
  await press();
  expect(api.unsubscribePush).toHaveBeenCalledWith('ps_1');
  expect(subscription).toBeNull();
  expect(control()?.checked).toBe(false);
});

it('without permission the switch stays off', async () => {
  stubBrowser('default');
  request.mockResolvedValue('default');
  await render();
  await press();
  expect(control()?.checked).toBe(false);
  expect(api.subscribePush).not.toHaveBeenCalled();
});

it('the switch is off if another wallet is subscribed', async () => {
  stubBrowser('granted');
  await render();
  await press();
  state.subscriptions = [{ id: 'ps_2', fingerprint: 'another' } as never];
  await renderPage(null);
  await render();
  expect(control()?.checked).toBe(false);
});

it('denied permission shows how to allow it', async () => {
  stubBrowser('denied');
  await render();
  expect(control()?.disabled).toBe(true);
  expect(page.textContent).toContain('Allow them in your browser settings');
});

it('an unsupported browser shows a message', async () => {
  vi.stubGlobal('navigator', {});
  await render();
  expect(control()?.disabled).toBe(true);
  expect(page.textContent).toContain('does not support notifications');
});

it('a failure shows the error and says that nothing changed', async () => {
  stubBrowser('granted');
  api.subscribePush.mockRejectedValue(new Error('10 browsers may be notified.'));
  await render();
  await press();
  expect(page.querySelector('[role=status]')?.textContent).toBe(
    '10 browsers may be notified. Nothing was changed.',
  );
  expect(control()?.checked).toBe(false);
});

it('without push support the switch is hidden', async () => {
  stubBrowser('granted');
  state.publicKey = null;
  await render();
  expect(page.innerHTML).toBe('');
});

import type { Page } from 'playwright/test';
import { type PushService, startPushService } from '#sandbox/testing/pushService.ts';
import { expect, test } from './trader.ts';

type Subscription = ReturnType<PushService['newBrowser']>['request'];

/** A push service on this machine, because no journey can reach the browser's own. */
async function reachThrough(page: Page, subscription: Subscription): Promise<void> {
  await page.addInitScript((received) => {
    const isOn = () => localStorage.getItem('journey.push') !== null;
    const found = (key?: BufferSource | string | null) => ({
      endpoint: received.endpoint,
      options: { applicationServerKey: key },
      toJSON: () => received,
      unsubscribe: () => {
        localStorage.removeItem('journey.push');
        return Promise.resolve(true);
      },
    });
    const bytesOf = (text: string) => Uint8Array.from(text.split(',').map(Number)).buffer;
    PushManager.prototype.getSubscription = () => {
      const key = localStorage.getItem('journey.push');
      return Promise.resolve(key === null ? null : (found(bytesOf(key)) as never));
    };
    PushManager.prototype.subscribe = (options) => {
      const key = options?.applicationServerKey as Uint8Array;
      if (!isOn()) localStorage.setItem('journey.push', key.join());
      return Promise.resolve(found(key.buffer as ArrayBuffer) as never);
    };
  }, subscription);
}

/** Delivers a message to the page's worker, like a push service. */
async function deliver(page: Page, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const registrationId = await registered;
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

const shownTitles = (page: Page) =>
  page.evaluate(async () => {
    const { ready } = navigator.serviceWorker;
    return (await (await ready).getNotifications()).map(({ title, tag }) => ({ title, tag }));
  });

test.describe('on this device', () => {
  test.use({ serviceWorkers: 'allow', permissions: ['notifications'] });
  let service: PushService;
  test.beforeEach(async () => {
    service = await startPushService();
  });
  test.afterEach(() => service.close());

  test('the browser shows notifications until they are turned off', { tag: '@phone-long' }, async ({
    trader,
    page,
  }) => {
    const { browser, request } = service.newBrowser();
    await reachThrough(page, request);
    await trader.arrive();
    await page.goto('/portfolio');
    const isGranted = await page.evaluate(() => Notification.permission === 'granted');
    test.skip(!isGranted, 'Chromium’s headless shell shows no notifications.');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const panel = page.getByRole('region', { name: 'Notifications', exact: true });
    const control = panel.getByRole('switch', { name: 'Notify me on this device' });
    await expect(control).not.toBeChecked();
    await control.press('Space');
    await expect(control).toBeChecked();
    await expect(panel.getByText('even when Crossbook is closed')).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(control).toBeChecked();

    const market = await trader.findMarket(21);
    await trader.buyDirectly(market.ticker, '3');
    await expect.poll(() => service.received.length).toBe(1);
    const [message] = service.received;
    const text = browser.read(message?.body ?? Buffer.alloc(0));
    await deliver(page, text);
    await expect
      .poll(() => shownTitles(page))
      .toEqual([
        {
          title: expect.stringMatching(/^Bought 3 Yes for \$\d/),
          tag: expect.stringMatching(/^order:[0-9a-f-]{36}$/),
        },
      ]);

    const dropped = page.waitForResponse(
      (response) =>
        response.request().method() === 'DELETE' && response.url().includes('/v1/push/'),
    );
    await control.press('Space');
    expect((await dropped).status()).toBe(200);
    await expect(control).not.toBeChecked();
  });

  test('signing out stops notifications', { tag: '@long' }, async ({ trader, page }) => {
    await reachThrough(page, service.newBrowser().request);
    await trader.arrive();
    await page.goto('/account');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const control = page.getByRole('switch', { name: 'Notify me on this device' });
    await control.press('Space');
    await expect(control).toBeChecked();
    await page.keyboard.press('Escape');
    const isReached = () => page.evaluate(() => localStorage.getItem('journey.push') !== null);
    // The switch shows the choice while the browser still waits for permission.
    await expect.poll(isReached).toBe(true);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await expect.poll(isReached).toBe(false);
  });
});

import type { Page } from 'playwright/test';
import { expect, test } from './trader.ts';

/**
 * The delays that a person notices: until a page is visible, after each key, until news are shown.
 * Measured while no other journey runs (see playwright.config.ts).
 */
test.describe('on a phone,', { tag: ['@alone', '@long'] }, () => {
  const LARGEST_PAINT_MS = 1_800;
  const INTERACTION_MS = 200;
  const QUOTE_MS = 400;
  const NEWS_MS = 1_000;
  /** How often the measurement is repeated while the machine is busy. */
  const ROUNDS = 3;

  /**
   * The value that this share of the values does not exceed. Other load of the machine causes the
   * highest values, so the budgets leave them out.
   */
  const within = (part: number, values: number[]) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

  test('the largest contentful paint is fast', async ({ trader, page }) => {
    const market = await trader.findMarket(0);
    await page.addInitScript(() => {
      const paint = { ms: 0 };
      Object.assign(window, { paint });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) paint.ms = entry.startTime;
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    for (const path of ['/', `/markets/${market.ticker}`, '/portfolio']) {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        await page.goto(path);
        await expect(page.locator('.skeleton')).toHaveCount(0);
        times.push(
          await page.evaluate(() => (window as unknown as { paint: { ms: number } }).paint.ms),
        );
      }
      expect(within(1 / 5, times), `${path}: ${times.join(', ')} ms`).toBeLessThanOrEqual(
        LARGEST_PAINT_MS,
      );
    }
  });

  test('typing responds at once and prices follow while the book moves', async ({
    trader,
    page,
  }) => {
    const market = await trader.findMarket(34);
    await trader.arrive();
    await trader.openMarket(market.ticker);
    await trader.enterContracts('1');
    await trader.expectStep('place');
    const typeOften = async () => {
      await observeTyping(page);
      const field = page.getByRole('textbox', { name: 'Contracts' });
      const quoted: number[] = [];
      for (const [round, text] of ['12', '34', '56', '78', '23', '45', '67'].entries()) {
        const cents = market.yesAsk + (round % 2 === 0 ? 1 : -1);
        await trader.controlExchange('market', {
          ticker: market.ticker,
          priceDollars: (cents / 100).toFixed(4),
        });
        await field.selectText();
        await field.pressSequentially(text);
        await expect(trader.button).toContainText(`Buy Yes · ${text} contracts`);
        quoted.push(await page.evaluate(() => window.typing?.quotedMs ?? Number.NaN));
      }
      return { quoted, interactions: await page.evaluate(() => window.typing?.interactions ?? []) };
    };
    let seen = await typeOften();
    for (let again = 1; again < ROUNDS && within(1 / 3, seen.quoted) > QUOTE_MS; again += 1) {
      seen = await typeOften();
    }
    const { quoted, interactions } = seen;
    // Only tasks longer than a frame are reported.
    expect(
      within(3 / 4, [0, ...interactions]),
      `${interactions.join(', ')} ms`,
    ).toBeLessThanOrEqual(INTERACTION_MS);
    expect(within(1 / 3, quoted), `${quoted.join(', ')} ms`).toBeLessThanOrEqual(QUOTE_MS);
  });

  test('order steps appear within a second', async ({ trader, page }) => {
    const market = await trader.findMarket(35);
    await trader.arrive();
    const owner = await trader.newToken();
    const late: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await trader.fillTicket(market.ticker, '1');
      await trader.button.click();
      await trader.openPlaced();
      await page.evaluate(noteStatuses);
      await trader.followToEnd();
      const shown = await page.evaluate(() => window.shownAt ?? {});
      const { events } = await owner.getOrder(trader.orderId());
      for (const { type, at } of events) {
        const shownAt = shown[type] ?? Number.NaN;
        if (!Number.isNaN(shownAt)) late.push(shownAt - Date.parse(at));
      }
    }
    expect(late.length).toBeGreaterThanOrEqual(3);
    expect(within(1 / 3, late), `${late.join(', ')} ms`).toBeLessThanOrEqual(NEWS_MS);
  });
});

declare global {
  interface Window {
    typing?: { interactions: number[]; lastKey: number; quotedMs: number };
    shownAt?: Record<string, number>;
  }
}

/**
 * Makes the page record the duration of each key press, and the time from the last one to the
 * price.
 */
async function observeTyping(page: Page): Promise<void> {
  await page.evaluate(() => {
    const typing = { interactions: [] as number[], lastKey: 0, quotedMs: Number.NaN };
    window.typing = typing;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.name === 'keydown' || entry.name === 'input' || entry.name === 'keyup') {
          typing.interactions.push(entry.duration);
        }
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    document.addEventListener('input', () => {
      typing.lastKey = performance.now();
      typing.quotedMs = Number.NaN;
    });
    const button = document.querySelector('[data-testid=ticket-button]');
    if (!button) throw new Error('there is no ticket');
    new MutationObserver(() => {
      if (button.getAttribute('data-reason') !== 'place' || !Number.isNaN(typing.quotedMs)) return;
      typing.quotedMs = performance.now() - typing.lastKey;
    }).observe(button, { attributes: true, childList: true, characterData: true, subtree: true });
  });
}

/** Makes the order's page record when it first shows each status. */
function noteStatuses(): void {
  const shownAt: Record<string, number> = {};
  window.shownAt = shownAt;
  const look = () => {
    const status = document
      .querySelector('[data-testid=order-status]')
      ?.getAttribute('data-status');
    if (status && status !== 'pending') shownAt[status] ??= Date.now();
  };
  // A status that is already visible appeared at an unknown time.
  const first = document.querySelector('[data-testid=order-status]')?.getAttribute('data-status');
  if (first) shownAt[first] = Number.NaN;
  new MutationObserver(look).observe(document.body, {
    attributes: true,
    childList: true,
    subtree: true,
  });
}

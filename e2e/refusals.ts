import type { Page } from 'playwright/test';

/** Every violation of the page's content security policy. */
export function refusals(page: Page): string[] {
  const seen: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy|Permissions.Policy|violates/i.test(message.text())) {
      seen.push(message.text());
    }
  });
  return seen;
}

import { EXAMPLE_EVENT, EXAMPLE_MARKET } from '#lib/api/schemas/common.ts';

/** Before the first paint: the theme chosen on the other pages, or the system's. */
export const THEME = `
function show() {
  let chosen = null;
  try { chosen = localStorage.getItem('crossbook.theme'); } catch {}
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}
show();
addEventListener('storage', show);
`;

export const START_SCRIPT = `
const key = document.body.dataset.key;
/** Examples can be tried: they name an existing market if there is one. */
async function withRealMarket(response) {
  if (!response.url.endsWith('/v1/openapi.json') || !response.ok) return response;
  const asked = await fetch('/v1/prediction-market/markets?status=open&limit=1', {
    headers: { 'x-api-key': key },
  }).catch(() => undefined);
  const [market] = asked?.ok ? (await asked.json()).markets : [];
  if (!market) return response;
  response.text = response.text
    .replaceAll('${EXAMPLE_MARKET}', market.ticker)
    .replaceAll('${EXAMPLE_EVENT}', market.eventTicker);
  return response;
}
// A link within a button cannot be reached; the address still names what is open.
const plainNames = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
});
const reference = SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
  syntaxHighlight: { activated: false },
  plugins: [plainNames],
  responseInterceptor: withRealMarket,
  onComplete: () => reference.preauthorizeApiKey('apiKey', key),
});
`;

/**
 * What the library leaves out for screen readers: names, and heading levels.
 * The library redraws parts at any time, so this runs after each change.
 */
export const ACCESSIBILITY_FIXES = `
const LEVELS = [
  ['.opblock-tag, .webhooks > h2, section.models > h4, .modal-ux-header h3', 2],
  ['.opblock-section-header :is(h3, h4), .modal-ux-content h4, .tab-header h4', 3],
  ['.responses-inner :is(h3, h4), .modal-ux-content :is(h5, h6)', 4],
  ['.responses-inner h5', 5],
];
/** The parts before the main one. */
const PARTS = [
  ['.information-container', 'About'],
  ['.scheme-container', 'Server and key'],
  ['.filter-container', 'Filter'],
];
const set = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
function each(selector, act) {
  for (const element of document.querySelectorAll(selector)) act(element);
}
function nameOf(field) {
  const row = field.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;
  if (row) return row.trim();
  if (field.id === 'servers') return 'Server';
  if (field.matches('.operation-filter-input')) return 'Filter by tag or path';
  const isBody = field.matches('textarea, .body-param__text');
  return isBody ? 'Request body' : 'Media type';
}
function mend() {
  for (const [selector, name] of PARTS) {
    each(selector, (part) => {
      set(part, 'role', 'region');
      set(part, 'aria-label', name);
    });
  }
  for (const [selector, level] of LEVELS) {
    each(selector, (element) => {
      set(element, 'role', 'heading');
      set(element, 'aria-level', String(level));
    });
  }
  each('.swagger-ui :is(select, textarea, input:not([type="hidden"]))', (field) => {
    const isNamed = field.id !== 'servers' && field.labels?.length > 0;
    if (!isNamed && !field.hasAttribute('aria-label')) set(field, 'aria-label', nameOf(field));
  });
  each('.opblock table[role="region"]', (table) => {
    const path = table.closest('.opblock').querySelector('.opblock-summary-path')?.textContent;
    const what = table.matches('.live-responses-table') ? 'Response of ' : 'Responses of ';
    set(table, 'aria-label', what + path);
  });
  each('.close-modal', (button) => set(button, 'aria-label', 'Close'));
  each('.auth-btn-wrapper [aria-label]', (button) => button.removeAttribute('aria-label'));
  each('.swagger-ui pre, .parameters-container, .responses-wrapper', (part) => {
    const scrolls = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
    if (scrolls) set(part, 'tabindex', '0');
  });
}
new MutationObserver(mend).observe(document.getElementById('reference'), {
  childList: true,
  subtree: true,
});
`;

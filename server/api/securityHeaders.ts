import { createHash, randomBytes } from 'node:crypto';
import { FIRST_PAINT_SCRIPT } from '#lib/firstPaintScript.ts';

/** The settings that the headers depend on. */
export type SecurityScope = {
  publicBaseUrl: string;
  /** External wallets, which need further origins. */
  wallets: { walletConnectProjectId?: string | undefined; baseAccount: boolean };
};

const TWO_YEARS_SECONDS = 63_072_000;
const NONCE_BYTES = 16;

/** Browser features that our pages do not use; an injected script cannot request them either. */
const REFUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

function transportSecurity({ publicBaseUrl }: SecurityScope): Record<string, string> {
  // Browsers ignore the header over plain http.
  if (!publicBaseUrl.startsWith('https://')) return {};
  return { 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}; includeSubDomains` };
}

/** Headers of every API response, unless a route sets its own. */
export function apiSecurityHeaders(scope: SecurityScope): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...transportSecurity(scope),
  };
}

/** Pictures that wallets and link previews embed. */
const SHARED_PICTURE = /^\/(icon\.svg|apple-icon|icons\/|share\/[^/]+\/picture$)|\/opengraph-image/;

/**
 * A market's card, the only page that other sites may show in a frame: it knows no wallet and no
 * session, and its links open new tabs. Without "%" and leading dots no other page has this path.
 */
const EMBED_PAGE = /^\/embed\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Headers of a page or of a file beside it. */
export type PageSecurity = {
  /** For one request, with a fresh nonce. */
  headersFor(path: string): { policy: string; headers: Record<string, string> };
};

export function createPageSecurity(scope: SecurityScope): PageSecurity {
  const { walletConnectProjectId, baseAccount } = scope.wallets;
  const foreign = foreignSources(walletConnectProjectId !== undefined, baseAccount);
  const fixed = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': REFUSED_FEATURES.map((name) => `${name}=()`).join(', '),
    // The passkey wallet is a window of another origin that replies to the page that opened it.
    'cross-origin-opener-policy': baseAccount ? 'same-origin-allow-popups' : 'same-origin',
    'origin-agent-cluster': '?1',
    ...transportSecurity(scope),
  };
  return {
    headersFor(path) {
      const nonce = randomBytes(NONCE_BYTES).toString('base64');
      const isEmbed = EMBED_PAGE.test(path);
      const policy =
        fixedPolicyOf(path) ??
        (isEmbed
          ? pagePolicy(scope, NO_WALLETS, nonce, '*')
          : pagePolicy(scope, foreign, nonce, "'none'"));
      return {
        policy,
        headers: {
          ...fixed,
          ...(!isEmbed && { 'x-frame-options': 'DENY' }),
          'content-security-policy': policy,
          'cross-origin-resource-policy':
            isEmbed || SHARED_PICTURE.test(path) ? 'cross-origin' : 'same-origin',
        },
      };
    },
  };
}

/** Browsers cache this file, so it has no nonce; it loads only files of its own origin. */
const OFFLINE_PAGE = '/offline.html';
const OFFLINE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pictures of the exchange: an SVG opened as a document runs and loads nothing. */
const PICTURES = '/pictures/';
const PICTURE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

function fixedPolicyOf(path: string): string | undefined {
  if (path === OFFLINE_PAGE) return OFFLINE_POLICY;
  return path.startsWith(PICTURES) ? PICTURE_POLICY : undefined;
}

type ForeignSources = Record<'connect' | 'frame' | 'style', string[]>;

const NO_WALLETS: ForeignSources = { connect: [], frame: [], style: [] };

/** Origins of the configured external wallets. */
function foreignSources(walletConnect: boolean, baseAccount: boolean): ForeignSources {
  const sources: ForeignSources = { connect: [], frame: [], style: [] };
  if (walletConnect) {
    const service = ['https://*.walletconnect.com', 'https://*.walletconnect.org'];
    const relay = ['wss://*.walletconnect.com', 'wss://*.walletconnect.org'];
    // Its SDK reads from the chain directly.
    sources.connect.push(...service, ...relay, 'https://mainnet.base.org');
    sources.frame.push(...service);
  }
  if (baseAccount) {
    sources.connect.push('https://*.coinbase.com', 'https://*.base.org');
    // Its dialogs contain inline styles.
    sources.style.push("'unsafe-inline'");
  }
  return sources;
}

const OWN_SCRIPT = `'sha256-${createHash('sha256').update(FIRST_PAINT_SCRIPT).digest('base64')}'`;

/**
 * Inline scripts run only with the nonce, as Next's do, and our one constant by its hash. Style
 * attributes are allowed, because server-rendered pages set widths and colours with them.
 */
function pagePolicy(
  scope: SecurityScope,
  foreign: ForeignSources,
  nonce: string,
  frameAncestors: "'none'" | '*',
): string {
  const isHttps = scope.publicBaseUrl.startsWith('https://');
  const directives: [string, string[]][] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", `'nonce-${nonce}'`, OWN_SCRIPT, "'strict-dynamic'"]],
    ['script-src-attr', ["'none'"]],
    ['style-src', ["'self'", ...foreign.style]],
    ['style-src-attr', ["'unsafe-inline'"]],
    ['img-src', ["'self'", 'data:', 'blob:']],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", new URL(scope.publicBaseUrl).origin, ...foreign.connect]],
    ['manifest-src', ["'self'"]],
    ['worker-src', ["'self'"]],
    ['frame-src', foreign.frame.length > 0 ? foreign.frame : ["'none'"]],
    ['base-uri', ["'none'"]],
    ['form-action', ["'self'"]],
    ['frame-ancestors', [frameAncestors]],
    ...(isHttps ? [['upgrade-insecure-requests', []] as [string, string[]]] : []),
  ];
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}

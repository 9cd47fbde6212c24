import { describe, expect, test } from 'vitest';
import { apiSecurityHeaders, createPageSecurity, type SecurityScope } from './securityHeaders.ts';

const scope = (changes: Partial<SecurityScope> = {}): SecurityScope => ({
  publicBaseUrl: 'https://crossbook.test',
  wallets: { walletConnectProjectId: undefined, baseAccount: false },
  ...changes,
});

function directivesOf(policy: string): Map<string, string[]> {
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const policyOf = (given: SecurityScope) => createPageSecurity(given).headersFor('/').policy;

describe('the policy of pages', () => {
  test('lets no inline script run without a nonce that is new each time', () => {
    const security = createPageSecurity(scope());
    const [first, second] = [security.headersFor('/').policy, security.headersFor('/').policy];
    const scripts = directivesOf(first).get('script-src') ?? [];
    expect(scripts).not.toContain("'unsafe-inline'");
    expect(scripts).not.toContain("'unsafe-eval'");
    expect(scripts).toContain("'strict-dynamic'");
    const nonces = [first, second].map(
      (policy) => /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy)?.[1],
    );
    expect(nonces.every((nonce) => nonce !== undefined)).toBe(true);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(directivesOf(first).get('script-src-attr')).toEqual(["'none'"]);
  });

  test('names no other origin unless a wallet is configured that needs it', () => {
    const own = policyOf(scope()).replaceAll('https://crossbook.test', '');
    expect(own).not.toMatch(/https:|wss:|\*/);
    const withRelay = policyOf(
      scope({ wallets: { walletConnectProjectId: 'a'.repeat(32), baseAccount: false } }),
    );
    expect(directivesOf(withRelay).get('connect-src')).toContain('wss://*.walletconnect.org');
    expect(directivesOf(withRelay).get('style-src')).toEqual(["'self'"]);
    for (const policy of [own, withRelay]) {
      expect(directivesOf(policy).get('script-src')?.join(' ')).not.toMatch(/https:|unsafe/);
    }
  });

  test('is the narrowest for the page without a network, which is a file', () => {
    const { policy } = createPageSecurity(scope()).headersFor('/offline.html');
    const directives = directivesOf(policy);
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('script-src')).toEqual(["'self'"]);
    expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
  });

  test('given a picture of the exchange, lets it load and run nothing', () => {
    const { policy } = createPageSecurity(scope()).headersFor('/pictures/events/KXFED-25');
    const directives = directivesOf(policy);
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.has('sandbox')).toBe(true);
    expect(policy).not.toContain('script');
  });

  test('keeps every page out of frames and every form on our own server', () => {
    const directives = directivesOf(policyOf(scope()));
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
    expect(directives.get('form-action')).toEqual(["'self'"]);
    expect(directives.get('base-uri')).toEqual(["'none'"]);
    expect(directives.get('frame-src')).toEqual(["'none'"]);
    expect(directives.has('upgrade-insecure-requests')).toBe(true);
  });
});

describe('the card of a market, which other sites embed', () => {
  const security = createPageSecurity(
    scope({ wallets: { walletConnectProjectId: 'a'.repeat(32), baseAccount: true } }),
  );
  const ancestorsOf = (path: string) =>
    directivesOf(security.headersFor(path).policy).get('frame-ancestors');

  test('is the only page that a frame may show', () => {
    const { headers } = security.headersFor('/embed/KXFED-25.DEC');
    expect(ancestorsOf('/embed/KXFED-25.DEC')).toEqual(['*']);
    expect(headers).not.toHaveProperty('x-frame-options');
    for (const path of [
      '/',
      '/portfolio',
      '/markets/KXFED-25',
      '/embed',
      '/embed/',
      '/embed/..',
      '/embed/../portfolio',
      '/embed/..%2fportfolio',
      '/embed/%2e%2e/portfolio',
      '/embed/KXFED/..',
      '/embed/KXFED/',
      '/embed\\portfolio',
      '/embed/..\\portfolio',
      '//embed/KXFED',
      '/x/embed/KXFED',
      '/offline.html',
    ]) {
      expect(ancestorsOf(path), path).toEqual(["'none'"]);
      expect(security.headersFor(path).headers['x-frame-options'], path).toBe('DENY');
    }
  });

  test('names no wallet and no other origin, whichever wallets are configured', () => {
    const { policy } = security.headersFor('/embed/KXFED-25');
    const own = policy.replaceAll('https://crossbook.test', '');
    expect(own).not.toMatch(/https:|wss:|style-src [^;]*unsafe/);
    expect(directivesOf(policy).get('frame-src')).toEqual(["'none'"]);
  });
});

describe('other headers', () => {
  test('browsers are sent HSTS only where the service is reached by https', () => {
    const plain = scope({ publicBaseUrl: 'http://localhost:3000' });
    expect(apiSecurityHeaders(plain)).not.toHaveProperty('strict-transport-security');
    expect(createPageSecurity(plain).headersFor('/').headers).not.toHaveProperty(
      'strict-transport-security',
    );
    expect(policyOf(plain)).not.toContain('upgrade-insecure-requests');
    for (const headers of [
      apiSecurityHeaders(scope()),
      createPageSecurity(scope()).headersFor('/').headers,
    ]) {
      expect(headers['strict-transport-security']).toMatch(/^max-age=63072000/);
    }
  });

  test('only pictures made for other pages may be shown on them', () => {
    const security = createPageSecurity(scope());
    const of = (path: string) => security.headersFor(path).headers['cross-origin-resource-policy'];
    expect(of('/icon.svg')).toBe('cross-origin');
    expect(of('/icons/192')).toBe('cross-origin');
    expect(of('/markets/KXFED-25/opengraph-image')).toBe('cross-origin');
    expect(of('/')).toBe('same-origin');
    expect(of('/portfolio')).toBe('same-origin');
  });

  test('a window of ours has no opener, except for a wallet that needs one', () => {
    const coop = (baseAccount: boolean) =>
      createPageSecurity(
        scope({ wallets: { walletConnectProjectId: undefined, baseAccount } }),
      ).headersFor('/').headers['cross-origin-opener-policy'];
    expect(coop(false)).toBe('same-origin');
    expect(coop(true)).toBe('same-origin-allow-popups');
  });
});

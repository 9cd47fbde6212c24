import { isLoopback } from '#lib/loopback.ts';
import type { ReadableEnvironment } from './validateEnvironment.ts';

/** Modes in which the driver verifies the server's certificate. */
const CHECKED_TLS = new Set(['require', 'verify-ca', 'verify-full']);
const LEAST_PASSWORD = 16;
/** Passwords of tutorials and images. */
const KNOWN_PASSWORD =
  /^(postgres(ql)?|password|passw0rd|secret|changeme|change-me|crossbook|admin|root|test|example|mysecretpassword)+\d*$/i;

export function* validateDatabase(
  env: ReadableEnvironment,
  isProduction: boolean,
): Generator<string> {
  yield* failoverRefusals(env.DATABASE_FAILOVER, isProduction);
  for (const [name, text] of namedUrls(env)) {
    const url = parse(text);
    if (!url) {
      yield `${name}: cannot be read; percent-encode special characters of the password`;
      continue;
    }
    yield* tlsRefusals(name, url);
    yield* passwordRefusals(name, url, isProduction || isFar(url));
  }
}

function namedUrls(env: ReadableEnvironment): [string, string][] {
  const single = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'OPERATOR_DATABASE_URL'] as const;
  const urls = single.map((name) => [name, env[name]] as const);
  const replicas = (env.DATABASE_REPLICA_URLS ?? []).map(
    (url) => ['DATABASE_REPLICA_URLS', url] as const,
  );
  return [...urls, ...replicas].flatMap(([name, url]) => (url === undefined ? [] : [[name, url]]));
}

function* failoverRefusals(
  failover: ReadableEnvironment['DATABASE_FAILOVER'],
  isProduction: boolean,
): Generator<string> {
  if (!isProduction || failover !== 'asynchronous') return;
  yield 'DATABASE_FAILOVER: an asynchronous standby lacks the last acknowledged orders when it takes over; replicate synchronously, or set none and restore by hand';
}

function* tlsRefusals(name: string, url: URL): Generator<string> {
  if (!isFar(url)) return;
  const mode = url.searchParams.get('sslmode') ?? '';
  if (CHECKED_TLS.has(mode)) return;
  const found = mode === '' ? 'without TLS' : `with sslmode=${mode}`;
  yield `${name}: goes to ${url.hostname} ${found}, so the connection can be read or impersonated; add sslmode=verify-full (and sslrootcert=<file> for an authority of your own)`;
}

function* passwordRefusals(name: string, url: URL, isExposed: boolean): Generator<string> {
  const password = decodeURIComponent(url.password);
  if (!isExposed || password === '') return;
  if (KNOWN_PASSWORD.test(password)) {
    yield `${name}: has a well-known password; npm run db:roles gives each role its own`;
  } else if (password.length < LEAST_PASSWORD) {
    yield `${name}: has a password of less than ${LEAST_PASSWORD} characters; npm run db:roles gives each role its own`;
  }
}

/** Not a socket file (no host, or `host=/folder`) and not this machine. */
function isFar(url: URL): boolean {
  const socket = url.searchParams.get('host');
  if (socket?.startsWith('/') || url.hostname === '') return false;
  return !isLoopback(`http://${url.host}`);
}

function parse(text: string): URL | undefined {
  try {
    const url = new URL(text);
    decodeURIComponent(url.password);
    return url;
  } catch {
    return undefined;
  }
}

import { lintSource } from '@secretlint/core';
import { creator as patternRule } from '@secretlint/secretlint-rule-pattern';
import { creator as commonRules } from '@secretlint/secretlint-rule-preset-recommend';
import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import { apiKeyKindOf } from '#server/domain/auth/apiKeys.ts';

/** A place in a file that looks like a secret, without the secret itself. */
export type SecretFound = { file: string; line: number; what: string };

type LintConfig = Parameters<typeof lintSource>[0]['options']['config'];

/** Secrets of ours that no scanner knows. Each pattern names what it catches. */
const OUR_SECRETS = [
  { name: 'an API key', patterns: ['/\\bcbk_(?:test|live)_[0-9A-Za-z]{49}\\b/g'] },
  { name: 'the token of an operator', patterns: ['/\\bcbo_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g'] },
  { name: 'the secret of a webhook', patterns: ['/\\bwhsec_[A-Za-z0-9+/]{32,}={0,2}/g'] },
  {
    name: 'a private key of a chain',
    patterns: [
      '/(?:key|secret|private|operator|attestor|resolver|admin|mnemonic)[\\w"\']{0,24}\\s*[:=]\\s*["\'`]?(?:0x)?[0-9a-fA-F]{64}\\b/gi',
    ],
  },
  {
    name: 'a private key in PEM',
    patterns: ['/-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\\s+[A-Za-z0-9+\\/=]{40,}/g'],
  },
  {
    name: 'a private JWK',
    patterns: ['/"?\\bd"?\\s*:\\s*["\'][A-Za-z0-9_-]{43}["\']/g'],
  },
  {
    name: 'a bearer token',
    patterns: ['/\\beyJ[A-Za-z0-9_-]{16,}\\.eyJ[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{40,}/g'],
  },
  {
    name: 'a password in an address',
    patterns: [
      '/\\b[a-z][a-z0-9+]{2,12}:\\/\\/[^\\s:@\\/"\'`<>$]+:(?![<$…*]|secret@|password@|postgres@)[^\\s:@\\/"\'`]{6,}@(?!127\\.0\\.0\\.1|localhost)/g',
    ],
  },
];

const CONFIG = {
  rules: [
    { id: '@secretlint/secretlint-rule-preset-recommend', rule: commonRules },
    {
      id: '@secretlint/secretlint-rule-pattern',
      rule: patternRule,
      options: { patterns: OUR_SECRETS },
    },
  ],
} as LintConfig;

const DEVELOPMENT_KEYS = 20;
const MAX_HOST = 253;

/** Hosts that cannot exist: their addresses are examples (RFC 2606). */
const RESERVED_HOST = /@[\w.-]*\b(?:example(?:\.(?:com|net|org))?|invalid|test)(?=[:/?]|\W*$)/;

/**
 * Public values that look like secrets: examples, and keys of every development chain.
 * @param word the match, with the rest of its word
 */
function isPublic(found: string, word: string): boolean {
  if (/:\/\//.test(word) && RESERVED_HOST.test(word)) return true;
  // A placeholder for a password.
  if (/:\/\/[^\s:@/]+:[<$…*{]/.test(found)) return true;
  const key = /(?:0x)?([0-9a-fA-F]{64})/.exec(found)?.[1]?.toLowerCase();
  if (key !== undefined) {
    return Array.from({ length: DEVELOPMENT_KEYS }, (_, index) => developmentWallet(index)).some(
      ({ privateKey }) => privateKey.slice(2) === key,
    );
  }
  const apiKey = /cbk_(?:test|live)_[0-9A-Za-z]{49}/.exec(found)?.[0];
  // Without a valid checksum it was never a key: an example.
  return apiKey !== undefined && apiKeyKindOf(apiKey) === undefined;
}

/** Finds possible secrets in a text: by a maintained list of known formats, and by ours. */
export async function findSecrets(file: string, content: string): Promise<SecretFound[]> {
  const { messages } = await lintSource({
    source: {
      filePath: `/${file}`,
      content,
      ext: file.slice(file.lastIndexOf('.')),
      contentType: 'text',
    },
    options: { config: CONFIG, noPhysicFilePath: true },
  });
  const byLine = new Map<number, SecretFound>();
  for (const { range, loc, ruleId, messageId, data } of messages) {
    const { line } = loc.start;
    const [start, end] = range;
    const [word = ''] = content.slice(start, end + MAX_HOST).split(/[\s'"`]/, 1);
    if (isPublic(content.slice(start, end), word) || byLine.has(line)) continue;
    byLine.set(line, { file, line, what: nameOf(ruleId, messageId, data) });
  }
  return [...byLine.values()];
}

function nameOf(ruleId: string, messageId: string, data: unknown): string {
  const ours = OUR_SECRETS.find(({ name }) => JSON.stringify(data)?.includes(name));
  return ours?.name ?? `${ruleId.replace('@secretlint/secretlint-rule-', '')}: ${messageId}`;
}

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Names use the words of docs/GLOSSARY.md; a word it retires is refused in every name we choose. */

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = '{app,components,lib,server,sandbox,scripts,bench,contracts}';
const NOT_OURS = /(^|\/)(node_modules|out|cache|abi)\//;

/** Names that keep a retired word; without `file` anywhere. */
const ALLOWED: readonly { name: RegExp; file?: RegExp; because: string }[] = [
  { name: /^(SYNC_)?VENUE_(URL|WS_URL|KEY_ID|PRIVATE_KEY)(_FILE)?$/, because: 'configuration' },
  { name: /^VENUE_ID$/, because: 'a constant of SwapVault.sol' },
  { name: /^(venueMarket|VENUE_MARKET|venueTokenReferenceSchema)$/, because: 'published by /v1' },
  { name: /^(intents?|intentId|intentType|intentFields|INTENT)$/, because: 'fields of /v1' },
  { name: /^((Order|Withdrawal)Intent|IntentAction)$/, because: 'shapes of /v1' },
  { name: /^(order|withdrawal)Intent(Schema|Of)$|^intentActionSchema$/, because: 'shapes of /v1' },
  { name: /^strayRequests$/, because: 'a field of /v1/status' },
  {
    name: /^answer$/,
    file: /(schemas\/webhook|webhooks\/describe)\.ts$/,
    because: 'a field of /v1',
  },
  { name: /^serialize(Order|Withdrawal)Intent$/, because: 'shapes of /v1' },
  { name: /^(refunded_)?by_hand$/, because: 'published reasons' },
  { name: /^settlement_bounds_type$/, because: "a field of the exchange's API" },
  {
    name: /^([A-Z]\w*)?Bell(Plus|Ring)?(\.tsx)?$/,
    file: /^components\//,
    because: 'the icons of notifications',
  },
];

/** `maxQuoteIn`, `max_quote_in` and `max-quote-in.ts` are the same words. */
function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/);
  return ` ${words.filter(Boolean).join(' ').toLowerCase()} `;
}

/** The words in the last column of the glossary's tables. */
function retiredWords(glossary: string): string[] {
  const cells = [...glossary.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

const COMMENTS_AND_TEXT =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const DECLARATIONS = [
  /\b(?:const|let|function\*?|type|interface|class|enum)\s+([A-Za-z_$][\w$]*)/g,
  // Properties, parameters and keys.
  /(?:^|[{(,;|]|\breadonly)\s*([A-Za-z_$][\w$]*)\??:/gm,
  // Shorthands, and parameters without a type.
  /[{(,]\s*([A-Za-z_$][\w$]*)\s*(?=[,})])/g,
  /^\s*(?:async |static |get |set |private )*([A-Za-z_$][\w$]*)\([^()]*\)(?:: [^{\n]+)? \{$/gm,
];

function namesIn(file: string): string[] {
  const source = readFileSync(`${PROJECT}${file}`, 'utf8');
  const code = source.replaceAll(COMMENTS_AND_TEXT, '""');
  const declared = DECLARATIONS.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, name = '']) => name),
  );
  return file.includes('/database/schema/') ? [...declared, ...columnsIn(source)] : declared;
}

const columnsIn = (source: string) =>
  [...source.matchAll(/'([a-z][a-z\d_]*)'/g)].map(([, name = '']) => name);

const isAllowed = (name: string, file: string) =>
  ALLOWED.some((one) => one.name.test(name) && (one.file?.test(file) ?? true));

type Finding = { word: string; name: string; file: string };

/** Each retired word in each name of a file, and in the file's own name. */
function findingsIn(file: string, retired: readonly string[]): Finding[] {
  const names = new Set([basename(file), ...namesIn(file)]);
  return [...names].flatMap((name) => {
    if (isAllowed(name, file)) return [];
    const words = wordsOf(name);
    return retired
      .filter((word) => words.includes(` ${word} `) || words.includes(` ${word}s `))
      .map((word) => ({ word, name, file }));
  });
}

/** One line for each word: how often it is found, and in which names. */
function listing(findings: readonly Finding[]): string[] {
  const byWord = Map.groupBy(findings, ({ word }) => word);
  return [...byWord]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([word, found]) => {
      const places = found.map(({ name, file }) => `${name} (${file})`);
      return `${word}, ${found.length} times: ${places.join(', ')}`;
    });
}

const retired = retiredWords(readFileSync(`${PROJECT}docs/GLOSSARY.md`, 'utf8'));

test('given a name in any spelling, its words are found', () => {
  expect(wordsOf('HTTPVenueByHand')).toBe(' http venue by hand ');
  expect(wordsOf('venue_order-id.test.ts')).toBe(' venue order id test ts ');
});

test('given the glossary, the last column of each table holds the retired words', () => {
  expect(retiredWords('| a | `b` | `c`, `d e` |\n|---|---|---|\n')).toEqual(['c', 'd e']);
  expect(retired.length).toBeGreaterThan(20);
});

const files = globSync(`${FOLDERS}/**/*.{ts,tsx,mjs}`, { cwd: PROJECT }).filter(
  (file) => !NOT_OURS.test(file),
);

test('no name holds a word that the glossary retires', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(listing(files.flatMap((file) => findingsIn(file, retired)))).toEqual([]);
});

test('every exception is needed', () => {
  const names = files.flatMap((file) => namesIn(file).concat(basename(file)));
  const unused = ALLOWED.filter(({ name }) => !names.some((one) => name.test(one)));
  expect(unused).toEqual([]);
});

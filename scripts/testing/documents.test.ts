import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** Everything that documents name must exist: files, headings, commands, tests. */

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SKIPPED = /(^|\/)(node_modules|\.next|\.data|test-results|out|cache)\//;
const documents = globSync('**/*.md', { cwd: PROJECT, exclude: (name) => SKIPPED.test(`${name}/`) })
  .filter((name) => !SKIPPED.test(name))
  .toSorted();

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const isThere = (path: string) => existsSync(join(PROJECT, path));
const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '');

/** The anchor of a heading, as repository hosts generate it. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/`|\*|\[|\]\([^)]*\)/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(document: string): string[] {
  return [...withoutCode(read(document)).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );
}

function brokenLinks(document: string): string[] {
  const targets = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  );
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#', 2);
    const file = path === '' ? document : normalize(join(dirname(document), path));
    if (!isThere(file)) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

const TOP = 'app|bench|components|contracts|deploy|docs|e2e|lib|public|sandbox|scripts|server';
const NAMED_FILE = new RegExp(`\`((?:${TOP})/[^\`\\s]+\\.[a-z]+)\``, 'g');
/** A pattern or a placeholder matches many files. */
const IS_PATTERN = /[*<{…]/;
/** Files that the recipes create. */
const IS_MADE = /\/(clock|review|rewards)\b/;

function missingFiles(document: string): string[] {
  return [...read(document).matchAll(NAMED_FILE)]
    .map(([, path = '']) => path)
    .filter((path) => !IS_PATTERN.test(path) && !IS_MADE.test(path) && !isThere(path));
}

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

function unknownCommands(document: string): string[] {
  const text = read(document);
  const npm = [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
  const programs = [
    ...text.matchAll(/\bnode (?:--[a-z-]+ )*((?:server|bench|scripts|sandbox)\/[\w./-]+\.m?ts)/g),
  ];
  return [
    ...npm.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `npm run ${name}`),
    ...programs.map(([, path = '']) => path).filter((path) => !isThere(path)),
  ];
}

test('there are documents to look at', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/ARCHITECTURE.md']));
});

describe.each(documents)('%s', (document) => {
  test('leads where it says', () => {
    expect(brokenLinks(document)).toEqual([]);
  });

  test('names files that are there', () => {
    expect(missingFiles(document)).toEqual([]);
  });

  test('names commands that are there', () => {
    expect(unknownCommands(document)).toEqual([]);
  });
});

/** A mitigation's proof: the file in code, then the test's title in quotes, or a Solidity function. */
const PROOF = /`([\w./@()[\]-]+\.(?:ts|tsx|sol))`(?: ›|:) “([^”]+)”/g;

describe('docs/SECURITY.md', () => {
  const text = read('docs/SECURITY.md');
  const proofs = [...text.matchAll(PROOF)].map(([, file = '', title = '']) => ({ file, title }));

  test('names tests that are there, by file and title', () => {
    expect(proofs.length).toBeGreaterThan(40);
    const missing = proofs.filter(({ file, title }) => {
      if (!isThere(file)) return true;
      const source = read(file).replaceAll(/\\(['"])/g, '$1');
      return !source.includes(title);
    });
    expect(missing).toEqual([]);
  });

  test('has a proof for every mitigation', () => {
    const tables = [...text.matchAll(/^\| Threat .*\n\|[-| ]+\n((?:\|.*\n)+)/gm)];
    const rows = tables.flatMap(([, body = '']) => body.trim().split('\n'));
    expect(rows.length).toBeGreaterThan(40);
    const unproven = rows.filter((row) => row.match(PROOF) === null);
    expect(unproven).toEqual([]);
  });
});

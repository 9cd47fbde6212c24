import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, csvLines } from './csv.ts';

/** A plain reader of RFC 4180. */
function parse(text: string): string[][] {
  const records: string[][] = [[]];
  let position = 0;
  while (position < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    quoted.lastIndex = position;
    plain.lastIndex = position;
    const match = quoted.exec(text) ?? plain.exec(text);
    records.at(-1)?.push((match?.[1]?.replaceAll('""', '"') ?? match?.[0]) || '');
    position += match?.[0].length ?? 0;
    if (text.startsWith('\r\n', position)) {
      position += 2;
      if (position < text.length) records.push([]);
    } else if (text[position] === ',') position += 1;
    else if (position < text.length) throw new Error(`stray character at ${position}`);
  }
  return records;
}

describe('a record', () => {
  it('is read back unchanged, except for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
        const [read] = parse(csvLine(texts));
        expect(read?.map((text) => text.replace(/^'/, ''))).toEqual(
          texts.map((text) => text.replace(/^'/, '')),
        );
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['-0.25', '-0.25'],
    ['12.5', '12.5'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
  ])('%j is written %j', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  });

  it('writes absent values as empty', () => {
    expect(csvLine([null, 0, false])).toBe(',0,false\r\n');
  });
});

it('has a heading even without rows', async () => {
  async function* nothing(): AsyncGenerator<{ a: string }[]> {
    yield [];
  }
  let text = '';
  for await (const line of csvLines([{ name: 'a', value: (row) => row.a }], nothing())) {
    text += line;
  }
  expect(text).toBe('a\r\n');
});

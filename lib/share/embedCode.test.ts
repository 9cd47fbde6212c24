import { expect, it } from 'vitest';
import { embedCode } from './embedCode.ts';

const ORIGIN = 'https://crossbook.test';

it('shows the card of the market in the chosen theme', () => {
  const code = embedCode(ORIGIN, { ticker: 'KXFED-25', title: 'Will rates fall?' }, 'dark');
  expect(code).toContain('src="https://crossbook.test/embed/KXFED-25?theme=dark"');
  expect(code).toContain('title="Will rates fall?"');
  expect(embedCode(ORIGIN, { ticker: 'KXFED-25', title: '' }, 'auto')).toContain('/KXFED-25"');
});

it('given a title with markup, keeps it inside its attribute', () => {
  const title = '"><script>alert(1)</script>&';
  const code = embedCode(ORIGIN, { ticker: 'A', title }, 'auto');
  expect(code.match(/</g)).toHaveLength(2);
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"');
});

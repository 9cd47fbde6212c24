import type { ServerResponse } from 'node:http';
import { LATER_SCRIPT, START_SCRIPTS_AFTER_PAINT } from '#lib/scriptsAfterPaint.ts';

/**
 * What Next writes into a page for each of its scripts, as one tag. Nothing else in a page looks
 * like that: text is escaped, and so is `<` in the data that scripts carry.
 */
const SCRIPT_TAG =
  /<script (?:id="[^"]*" )?src="(\/_next\/static\/[^"]+)"([^>]*) async=""([^>]*)>/g;
/** The first of them is announced as well, which would have it fetched before anything is seen. */
const SCRIPT_PRELOAD = /<link rel="preload" as="script"[^>]* href="\/_next\/static\/[^>]*>/g;

/** What Next sends when a page has to be made by its scripts: there is nothing to see before. */
const EMPTY_PAGE = '<html id="__next_error__"';

/** Longer than any tag that is looked for. */
const LONGEST_TAG = 512;

/** Takes a page as it comes, in pieces, and gives it with its scripts held back. */
export type ScriptHolder = {
  push(html: string): string;
  rest(): string;
};

export function createScriptHolder(): ScriptHolder {
  let kept = '';
  let isEmpty = false;
  let isBegun = false;
  const hold = (_tag: string, address: string, before: string, after: string): string => {
    const begin = isBegun ? '' : `<script>${START_SCRIPTS_AFTER_PAINT}</script>`;
    isBegun = true;
    return `${begin}<script ${LATER_SCRIPT}="${address}"${before}${after}>`;
  };
  return {
    push(html) {
      const text = kept + html;
      const end = endOfWhole(text);
      kept = text.slice(end);
      const whole = text.slice(0, end);
      isEmpty ||= whole.includes(EMPTY_PAGE);
      return isEmpty ? whole : whole.replace(SCRIPT_PRELOAD, '').replace(SCRIPT_TAG, hold);
    },
    rest() {
      const text = kept;
      kept = '';
      return text;
    },
  };
}

/** Up to where no tag has been cut in two. */
function endOfWhole(text: string): number {
  const open = text.lastIndexOf('<');
  const isCut = open > text.lastIndexOf('>') && text.length - open < LONGEST_TAG;
  return isCut ? open : text.length;
}

/**
 * Has the scripts of the page that this answer is going to be wait for the first paint
 * (`lib/scriptsAfterPaint.ts`). Answers that are no pages stay as they are.
 */
export function holdScriptsOf(response: ServerResponse): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let holder: ScriptHolder | undefined;
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    if (!String(response.getHeader('content-type') ?? '').startsWith('text/html')) return;
    holder = createScriptHolder();
    if (!response.headersSent) response.removeHeader('content-length');
  };
  response.write = ((chunk: string | Uint8Array, ...more: []) => {
    begin();
    if (!holder) return write(chunk, ...more);
    return write(toBytes(holder.push(toText(chunk))), ...more);
  }) as typeof response.write;
  response.end = ((chunk?: unknown, ...more: []) => {
    begin();
    if (!holder) return end(chunk, ...more);
    const last = typeof chunk === 'string' || chunk instanceof Uint8Array ? toText(chunk) : '';
    const text = holder.push(last) + holder.rest();
    if (text === '') return end(...more);
    return end(toBytes(text), ...more);
  }) as typeof response.end;
}

/** Byte for byte, so that a letter of several bytes may be cut anywhere: tags are ASCII. */
function toText(chunk: string | Uint8Array): string {
  if (typeof chunk === 'string') return Buffer.from(chunk).toString('latin1');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** A body and what its headers say of it, made once for all who are sent it. */
export type ReadyContent = {
  status: number;
  /** Names and values in turn, as node:http takes them without looking at each. */
  pairs: readonly string[];
  body: string | Uint8Array<ArrayBuffer> | null;
  /** Of a body that is text. */
  encoding: 'latin1' | 'utf8';
};

/** Content with its length, ready to be sent. */
export function readyContent(
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
): Omit<ReadyContent, 'status'> {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return {
    pairs: pairsOf({ ...headers, 'content-length': String(length) }),
    body,
    // Plain ASCII is the same in both, and this one is copied without looking at the characters.
    encoding: length === body.length ? 'latin1' : 'utf8',
  };
}

export function pairsOf(headers: Record<string, string>): readonly string[] {
  return Object.entries(headers).flat();
}

/**
 * Lists in the database's own binary form of an array. With a hundred thousand rows, quoting every
 * value in a text takes us, and reading that text takes the database, several times as long.
 */
type Value = string | bigint | number | boolean | Date | null;

/** Before the elements: dimensions, whether there are nulls, the elements' type, their number, 1. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const TEXT_OID = 25;
/** Stands in a text where a length will be written. */
const GAP = '\0'.repeat(LENGTH_BYTES);

/** How values of a type are written, each in the same number of bytes. */
type Layout = {
  oid: number;
  bytes: number;
  /** False for what the type does not hold. */
  write: (to: DataView, at: number, value: Value) => boolean;
};

const EPOCH_MS = Date.UTC(2000, 0);

const LAYOUTS: Record<string, Layout> = {
  boolean: {
    oid: 16,
    bytes: 1,
    write(to, at, value) {
      to.setInt8(at, value === true ? 1 : 0);
      return typeof value === 'boolean';
    },
  },
  bigint: {
    oid: 20,
    bytes: 8,
    write(to, at, value) {
      if (typeof value !== 'bigint') return false;
      to.setBigInt64(at, value);
      return to.getBigInt64(at) === value;
    },
  },
  integer: {
    oid: 23,
    bytes: 4,
    write(to, at, value) {
      if (typeof value !== 'number') return false;
      to.setInt32(at, value);
      return to.getInt32(at) === value;
    },
  },
  'timestamp with time zone': {
    oid: 1184,
    bytes: 8,
    write(to, at, value) {
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return false;
      // In microseconds.
      to.setBigInt64(at, BigInt(value.getTime() - EPOCH_MS) * 1000n);
      return true;
    },
  },
};

/**
 * A parameter for `$n::type[]`. Where a value does not fit the type, or the type is not known here,
 * it goes as texts, so that the database says what it thinks of it.
 * @param type of the elements, as SQL writes it; its precision does not matter here
 */
export function arrayParameter(type: string, values: readonly Value[]): Buffer | (string | null)[] {
  const name = type.replace(/ ?\(\d+\)/, '');
  const layout = LAYOUTS[name];
  const laidOut = layout && fixedArray(layout, values);
  if (laidOut) return laidOut;
  const texts = values.map((value) => (value === null ? null : asText(value)));
  return name === 'text' ? textArray(texts) : texts;
}

export function asText(value: NonNullable<Value>): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function fixedArray(layout: Layout, values: readonly Value[]): Buffer | undefined {
  const array = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + layout.bytes));
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  writeHeader(view, layout.oid, values);
  let at = HEADER_BYTES;
  for (const value of values) {
    view.setInt32(at, value === null ? NULL_LENGTH : layout.bytes);
    at += LENGTH_BYTES;
    if (value === null) continue;
    if (!layout.write(view, at, value)) return undefined;
    at += layout.bytes;
  }
  return array.subarray(0, at);
}

/** All texts are coded at once; the lengths are written over the gaps between them. */
function textArray(texts: readonly (string | null)[]): Buffer {
  let joined = '';
  for (const text of texts) joined += GAP + (text ?? '');
  const bytes = Buffer.byteLength(joined);
  const array = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  array.write(joined, HEADER_BYTES);
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  writeHeader(view, TEXT_OID, texts);
  const isPlain = bytes === joined.length;
  let at = HEADER_BYTES;
  for (const text of texts) {
    const length = text === null || isPlain ? (text?.length ?? 0) : Buffer.byteLength(text);
    view.setInt32(at, text === null ? NULL_LENGTH : length);
    at += LENGTH_BYTES + length;
  }
  return array;
}

function writeHeader(to: DataView, oid: number, values: readonly Value[]): void {
  to.setInt32(0, 1);
  to.setInt32(4, values.includes(null) ? 1 : 0);
  to.setInt32(8, oid);
  to.setInt32(12, values.length);
  to.setInt32(16, 1);
}

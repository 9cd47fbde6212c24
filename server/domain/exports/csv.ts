/** Comma-separated values as in RFC 4180. */

export type CsvValue = string | number | boolean | null;

const LINE_END = '\r\n';

/** Spreadsheets treat text with such a prefix as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function field(value: CsvValue): string {
  if (value === null) return '';
  const text = String(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * One record with its line end. Text that a spreadsheet would execute gets a leading apostrophe.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(field).join(',') + LINE_END;
}

export type Column<Row> = { name: string; value: (row: Row) => CsvValue };

export async function* csvLines<Row>(
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, void> {
  let heading = csvLine(columns.map((column) => column.name));
  for await (const rows of pages) {
    const lines = rows.map((row) => csvLine(columns.map((column) => column.value(row))));
    yield heading + lines.join('');
    heading = '';
  }
}

/** A statement that a migration must not contain, and why. */
export type MigrationFault = { statement: string; why: string };

/**
 * A step that removes something is marked with the day from which no running release needs it:
 * `-- contract 2026-12-31: <what>, unread since <release or commit>`.
 */
const CONTRACT_MARK = /^--\s*contract (\d{4})-(\d{2})-(\d{2}): \S.{9,}$/m;

const BREAKING: [RegExp, string][] = [
  [/^drop (table|view|materialized view|type|schema|function)\b/, 'the running release uses it'],
  [/^alter table .*\bdrop (column|constraint)\b/, 'the running release uses it'],
  [/^alter (table|type|view|index) .*\brename\b/, 'the running release knows the old name only'],
  [/^alter table .*\balter (column )?\S+ (set data )?type\b/, 'it rewrites the table under a lock'],
  [/^alter table .*\bset not null\b/, 'the running release may write nulls'],
  [/^truncate\b/, 'the running release reads the rows'],
  [/^delete from\b/, 'the running release reads the rows'],
];

/** Tightening: harmless on a table that the same migration creates. */
const TIGHTENING: [RegExp, string][] = [
  [
    /^alter table (\S+) .*\badd column (?!.*\bdefault\b).*\bnot null\b/,
    'the running release writes rows without it; give it a default, or make it nullable first',
  ],
  [
    /^alter table (\S+) .*\badd constraint\b(?!.*\bnot valid\b)/,
    'the running release may violate it, and checking every row locks the table; add it as NOT VALID',
  ],
  [/^create unique index .*? on (\S+)/, 'the running release may write the same value twice'],
];

/**
 * Finds steps that the previous release could not run with: tables are widened first, and a later,
 * marked migration removes what no release reads any more.
 */
export function checkMigration(sql: string): MigrationFault[] {
  const statements = splitStatements(sql);
  const own = new Set(statements.flatMap((text) => madeBy(normal(text))));
  return statements.flatMap((text) => {
    const why = faultOf(normal(text), own);
    return why === undefined || isMarked(text) ? [] : [{ statement: firstLine(text), why }];
  });
}

function faultOf(statement: string, own: ReadonlySet<string>): string | undefined {
  const breaking = BREAKING.find(([pattern]) => pattern.test(statement));
  if (breaking) return breaking[1];
  const tightening = TIGHTENING.find(([pattern]) => pattern.test(statement));
  if (!tightening) return undefined;
  const table = tightening[0].exec(statement)?.[1] ?? '';
  const isOwn = own.has(table) || columnsOf(statement).some((name) => own.has(`${table} ${name}`));
  return isOwn ? undefined : tightening[1];
}

/** A function's body is one statement, regardless of its content. */
function splitStatements(sql: string): string[] {
  return sql.split('--> statement-breakpoint').flatMap((part) => {
    if (/\$\$|\$[a-z]+\$/i.test(part)) return [part];
    return part.split(/;\s*(?=\n|$)/).filter((text) => normal(text) !== '');
  });
}

/** Without comments, quotes and extra spaces, in lower case. */
function normal(text: string): string {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The table that a statement creates, or the column that it adds, as `table column`. */
function madeBy(statement: string): string[] {
  const table = /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(statement)?.[1];
  const added = /^alter table (\S+) .*?\badd column (\S+)/.exec(statement);
  return [...(table ? [table] : []), ...(added ? [`${added[1]} ${added[2]}`] : [])];
}

/**
 * The columns of an index; the running release leaves a new one null, and nulls are never equal.
 */
function columnsOf(statement: string): string[] {
  return (/ using \w+ \(([^()]*)\)/.exec(statement)?.[1] ?? '')
    .split(',')
    .map((name) => name.trim());
}

function isMarked(text: string): boolean {
  const mark = CONTRACT_MARK.exec(text);
  if (!mark) return false;
  const [, year, month, day] = mark;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}

function firstLine(text: string): string {
  return normal(text).slice(0, 120);
}

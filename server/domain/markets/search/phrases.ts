import { wordsOf } from './tokenize.ts';

/** What a phrase means: groups of phrases with one meaning, by name. */
export type Meaning = {
  /** The groups it belongs to. */
  same: string[];
  /** The groups it belongs to only in queries: a first name means a person there. */
  asked: string[];
  /** The teams it names. */
  teams: string[];
  /** Groups that it may also mean, less precisely. */
  related: string[];
  /** Groups that events about it often belong to as well. */
  hints: string[];
};

export type Found = { from: number; length: number; meaning: Meaning };

type Node = { next: Map<string, Node>; meaning: Meaning | undefined };

/**
 * Phrases with their meanings. Each entry of its tables, on a line or before a `;`, is one of
 * - `nyc = new york = big apple`: a group of phrases with one meaning, named by the first
 * - `taylor swift = ~taylor`: the same, with a phrase that only queries use in this meaning
 * - `stocks = equities > sp 500, nasdaq`: a group that may also mean other groups
 * - `nfl: kansas city/chiefs, …`: the teams of a league, by place and name
 */
export class Phrases {
  private readonly root: Node = newNode();
  /** The words of all phrases. */
  readonly words = new Set<string>();

  constructor(tables: readonly string[]) {
    const lines = tables.flatMap((table) => table.split(/[;\n]/)).map((line) => line.trim());
    for (const line of lines) if (!line.includes(':')) this.addGroup(headOf(line).split('='));
    for (const line of lines) if (line.includes(':')) this.addLeague(line);
    for (const line of lines) if (line.includes('>')) this.addRelated(line);
  }

  /** Whether some phrase begins with the word. */
  knows(word: string): boolean {
    return eitherNumber(this.root, word) !== undefined;
  }

  /** The phrases in a text, the longest first at each place, without overlap. */
  foundIn(words: readonly string[]): Found[] {
    const found: Found[] = [];
    for (let from = 0; from < words.length; ) {
      const one = this.longestAt(words, from);
      if (one) found.push(one);
      from += one?.length ?? 1;
    }
    return found;
  }

  /** The names of the groups of every phrase in a text, also of overlapping ones. */
  groupsIn(words: readonly string[]): Set<string> {
    const groups = new Set<string>();
    for (let from = 0; from < words.length; from += 1) {
      let node = this.root.next.get(words[from] ?? '');
      for (let at = from + 1; node; at += 1) {
        for (const group of node.meaning?.same ?? []) groups.add(group);
        for (const group of node.meaning?.teams ?? []) groups.add(group);
        node = node.next.get(words[at] ?? '');
      }
    }
    return groups;
  }

  private longestAt(words: readonly string[], from: number): Found | undefined {
    let found: Found | undefined;
    let node = eitherNumber(this.root, words[from] ?? '');
    for (let at = from + 1; node; at += 1) {
      if (node.meaning) found = { from, length: at - from, meaning: node.meaning };
      node = eitherNumber(node, words[at] ?? '');
    }
    return found;
  }

  private addLeague(line: string): void {
    const [league = '', teams = ''] = line.split(':');
    for (const team of teams.split(',')) this.addTeam(this.groupsOf(league), team.trim());
  }

  private addRelated(line: string): void {
    const [, others = ''] = line.split('>');
    const groups = others.split(',').flatMap((name) => this.groupsOf(name));
    for (const phrase of headOf(line).split('=')) this.meaningOf(phrase).related.push(...groups);
  }

  private addGroup(phrases: readonly string[]): void {
    const group = nameOf(phrases[0] ?? '');
    if (group === '=') return;
    for (const phrase of phrases) {
      const meaning = this.meaningOf(phrase);
      addOnce(phrase.includes('~') ? meaning.asked : meaning.same, group);
    }
  }

  /** Listings name a team by its place; users by its name. */
  private addTeam(league: readonly string[], team: string): void {
    const [places = '', name = ''] = team.split('/');
    const [place = '', ...others] = places.split('|');
    const full = `${place} ${name}`;
    for (const phrase of [full, name, place, ...others]) {
      addOnce(this.meaningOf(phrase).teams, nameOf(full));
    }
    for (const phrase of [full, name]) {
      for (const group of league) addOnce(this.meaningOf(phrase).hints, group);
    }
  }

  /** A phrase that no group has is a group of its own. */
  private groupsOf(phrase: string): string[] {
    const { same } = this.meaningOf(phrase);
    if (same.length === 0) same.push(nameOf(phrase));
    return same;
  }

  private meaningOf(phrase: string): Meaning {
    let node = this.root;
    for (const word of wordsOf(phrase)) {
      this.words.add(word);
      let next = node.next.get(word);
      if (!next) {
        next = newNode();
        node.next.set(word, next);
      }
      node = next;
    }
    node.meaning ??= { same: [], asked: [], teams: [], related: [], hints: [] };
    return node.meaning;
  }
}

function headOf(line: string): string {
  return line.split('>')[0] ?? '';
}

function newNode(): Node {
  return { next: new Map(), meaning: undefined };
}

/** The word, or its plural or singular. */
function eitherNumber({ next }: Node, word: string): Node | undefined {
  const exact = next.get(word);
  if (exact || word.length < 4) return exact;
  return next.get(word.endsWith('s') ? word.slice(0, -1) : `${word}s`);
}

/** Names of groups are words that no text contains. */
function nameOf(phrase: string): string {
  return `=${wordsOf(phrase).join(' ')}`;
}

function addOnce(list: string[], one: string): void {
  if (!list.includes(one)) list.push(one);
}

import type { Meaning, Phrases } from './phrases.ts';
import { withDates } from './relativeDates.ts';
import { isFiller, isVague, queryWords } from './tokenize.ts';
import type { Option, Vocabulary } from './vocabulary.ts';

/** A part of a query that an event has by any of its options. */
export type Concept = {
  options: Option[];
  /** Only adds to the score of events that have it. */
  isOptional: boolean;
  /** What it adds, as a share of what other parts add. */
  share: number;
};

export type Understood = {
  concepts: Concept[];
  /** The query with its mistyped words replaced; undefined without any. */
  corrected: string | undefined;
};

type Word = {
  text: string;
  /** Other words that a mistyped one may be. */
  others: string[];
  /** Whether it may be the beginning of a longer word. */
  isPrefix: boolean;
};

type Placed = { concept: Concept; from: number; to: number };

const RELATED_QUALITY = 0.45;
/** Of a team whose name also means something else. */
const TEAM_QUALITY = 0.5;
const HINT_SHARE = 0.4;
const OTHER_CORRECTION = 0.4;
const SHORT_YEAR = /^[2-4]\d$/;
const SHORTEST_PART = 3;

/** Turns the text of a query into what an event must have, by the words and phrases known. */
export class Understanding {
  private readonly vocabulary: Vocabulary;
  private readonly phrases: Phrases;

  constructor(vocabulary: Vocabulary, phrases: Phrases) {
    this.vocabulary = vocabulary;
    this.phrases = phrases;
    for (const word of phrases.words) vocabulary.teach(word);
  }

  of(query: string, fuzzyThreshold: number, now: number): Understood {
    const texts = withDates(queryWords(query), now);
    const replaced = new Map<string, string>();
    const words = texts.flatMap((text, index) => {
      const isPrefix = index === texts.length - 1 || text.length > 3;
      return this.wordsFor(text, isPrefix, fuzzyThreshold, replaced);
    });
    return { concepts: this.conceptsOf(words), corrected: correctedText(query, replaced) };
  }

  /** The word itself, the two words it is made of, or the nearest known ones. */
  private wordsFor(
    text: string,
    isPrefix: boolean,
    fuzzyThreshold: number,
    replaced: Map<string, string>,
  ): Word[] {
    const word = { text, others: [], isPrefix: isPrefix && !/^[\d.]+$/.test(text) };
    const isKnown =
      isFiller(text) ||
      this.vocabulary.knows(text) ||
      this.vocabulary.optionsFor(text, word.isPrefix).length > 0;
    if (isKnown) return [word];
    const parts = this.partsOf(text);
    if (parts) return parts.map((part) => ({ text: part, others: [], isPrefix: false }));
    const [best, ...others] = this.vocabulary.near(text, fuzzyThreshold);
    if (best === undefined) return [word];
    replaced.set(text, best);
    return [{ text: best, others, isPrefix: false }];
  }

  private partsOf(text: string): [string, string] | undefined {
    let best: [string, string] | undefined;
    let most = 0;
    for (let at = SHORTEST_PART; at <= text.length - SHORTEST_PART; at += 1) {
      const [head, tail] = [text.slice(0, at), text.slice(at)];
      const events = Math.min(this.eventsWith(head), this.eventsWith(tail));
      if (events > most) {
        most = events;
        best = [head, tail];
      }
    }
    return best;
  }

  private eventsWith(word: string): number {
    const term = this.vocabulary.termOf(word);
    return term === undefined ? 0 : this.vocabulary.countOf(term);
  }

  private conceptsOf(words: readonly Word[]): Concept[] {
    const texts = words.map((word) => word.text);
    const found = new Map(this.phrases.foundIn(texts).map((one) => [one.from, one]));
    // A query of filler words only matches them literally.
    const isFilled = texts.every(isFiller);
    const concepts: Placed[] = [];
    const hints = new Set<string>();
    for (let from = 0; from < words.length; ) {
      const phrase = found.get(from);
      const to = from + (phrase?.length ?? 1);
      if (isFilled || to - from > 1 || !isFiller(texts[from] ?? '')) {
        const options = this.optionsOf(words.slice(from, to), phrase?.meaning);
        const isOptional = to - from === 1 && isVague(texts[from] ?? '');
        concepts.push({ concept: { options, isOptional, share: 1 }, from, to });
        const isTeam = phrase?.meaning.same.length === 0;
        for (const hint of isTeam ? phrase.meaning.hints : []) hints.add(hint);
      }
      from = to;
    }
    this.addJoined(texts, concepts);
    const hinted = [...hints].map((name): Concept => {
      return { options: this.group(name, 1), isOptional: true, share: HINT_SHARE };
    });
    return [...withNeeded(unique(concepts.map((one) => one.concept))), ...hinted];
  }

  private optionsOf(words: readonly Word[], meaning: Meaning | undefined): Option[] {
    const options: Option[] = [];
    const [only] = words.length === 1 ? words : [];
    if (only) {
      options.push(...this.vocabulary.optionsFor(only.text, only.isPrefix));
      for (const other of only.others) {
        for (const { term, quality } of this.vocabulary.optionsFor(other, false)) {
          options.push({ term, quality: quality * OTHER_CORRECTION });
        }
      }
      if (SHORT_YEAR.test(only.text)) {
        options.push(...this.vocabulary.optionsFor(`20${only.text}`, false));
      }
    }
    for (const name of meaning?.same ?? []) options.push(...this.group(name, 1));
    const team = meaning && meaning.same.length > 0 ? TEAM_QUALITY : 1;
    for (const name of meaning?.teams ?? []) options.push(...this.group(name, team));
    for (const name of meaning?.related ?? []) options.push(...this.group(name, RELATED_QUALITY));
    return options;
  }

  private group(name: string, quality: number): Option[] {
    const term = this.vocabulary.termOf(name);
    return term === undefined ? [] : [{ term, quality }];
  }

  /** Two words may be one in a title or a ticker. */
  private addJoined(texts: readonly string[], concepts: readonly Placed[]): void {
    for (let at = 0; at + 1 < texts.length; at += 1) {
      const term = this.vocabulary.termOf(`${texts[at]}${texts[at + 1]}`);
      if (term === undefined) continue;
      for (const { concept, from, to } of concepts) {
        if (from <= at + 1 && to > at) concept.options.push({ term, quality: 1 });
      }
    }
  }
}

function unique(concepts: readonly Concept[]): Concept[] {
  const seen = new Set<string>();
  return concepts.filter(({ options }) => {
    const key = options.map(({ term }) => term).join(' ');
    return !seen.has(key) && seen.add(key);
  });
}

/** A query of vague words needs them. */
function withNeeded(concepts: readonly Concept[]): Concept[] {
  const isVagueQuery = concepts.every((one) => one.isOptional);
  return concepts.map((one) => ({ ...one, isOptional: one.isOptional && !isVagueQuery }));
}

function correctedText(query: string, replaced: ReadonlyMap<string, string>): string | undefined {
  if (replaced.size === 0) return undefined;
  let text = query.trim().toLowerCase();
  for (const [word, best] of replaced) text = text.replace(word, best);
  return text;
}

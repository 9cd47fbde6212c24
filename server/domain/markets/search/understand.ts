import { MOST_ERRORS } from './editDistance.ts';
import type { Meaning, Phrases } from './phrases.ts';
import { withDates } from './relativeDates.ts';
import { isFiller, isVague, MONTHS, queryWords, wordsOf } from './tokenize.ts';
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

const SAME_QUALITY = 0.95;
const RELATED_QUALITY = 0.3;
/** Of a team whose name also means something else. */
const TEAM_QUALITY = 0.5;
const HINT_SHARE = 0.4;
/** Of the words of a phrase: events that have them literally rank above its synonyms. */
const LITERAL_SHARE = 0.2;
const OTHER_CORRECTION = 0.4;
const YEAR_QUALITY = 0.35;
const SHORT_YEAR = /^[2-4]\d$/;
const SHORTEST_PART = 3;

/** Turns the text of a query into what an event must have, by the words and phrases known. */
export class Understanding {
  private readonly vocabulary: Vocabulary;
  private readonly phrases: Phrases;

  constructor(vocabulary: Vocabulary, phrases: Phrases) {
    this.vocabulary = vocabulary;
    this.phrases = phrases;
    for (const word of [...phrases.words, ...MONTHS]) vocabulary.teach(word);
  }

  of(query: string, fuzzyThreshold: number, now: number): Understood {
    const asked = queryWords(query);
    const named = this.phrases.foundIn(asked).filter((phrase) => phrase.length > 1);
    // "Saturday Night Live" is not about a Saturday.
    const isNamed = (at: number) =>
      named.some(({ from, length }) => from <= at && at < from + length);
    const texts = withDates(asked, now, isNamed);
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
      this.phrases.knows(text) ||
      this.vocabulary.optionsFor(text, word.isPrefix).length > 0;
    if (isKnown) return [word];
    const slip = this.vocabulary.near(text, fuzzyThreshold, 1);
    const parts = slip.length === 0 ? this.partsOf(text) : undefined;
    if (parts) return parts.map((part) => ({ text: part, others: [], isPrefix: false }));
    const nearest =
      slip.length === 0 ? this.vocabulary.near(text, fuzzyThreshold, MOST_ERRORS) : slip;
    const [best, ...others] = nearest;
    if (best === undefined) return [word];
    replaced.set(text, best);
    return [{ text: wordsOf(best)[0] ?? best, others, isPrefix: false }];
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
    const phrases = new Map(this.phrases.foundIn(texts).map((one) => [one.from, one]));
    // A query of filler words only matches them literally.
    const isFilled = texts.every(isFiller);
    const placed: Placed[] = [];
    const extra: Concept[] = [];
    for (let from = 0; from < words.length; ) {
      const phrase = phrases.get(from);
      // A phrase that no event has is its words.
      const meaning = phrase && this.meant(phrase.meaning).length > 0 ? phrase.meaning : undefined;
      const length = phrase && meaning ? phrase.length : 1;
      const covered = words.slice(from, from + length);
      const text = length === 1 ? (texts[from] ?? '') : '';
      if (isFilled || !isFiller(text)) {
        const concept = {
          options: this.optionsOf(covered, meaning ?? phrase?.meaning),
          isOptional: isVague(text),
          share: 1,
        };
        placed.push({ concept, from, to: from + length });
        extra.push(...this.extraOf(covered, meaning));
      }
      from += length;
    }
    this.addJoined(texts, placed);
    return [...withNeeded(unique(placed.map((one) => one.concept))), ...extra];
  }

  /** The league of a team, and the words of a phrase: literal matches rank above synonyms. */
  private extraOf(words: readonly Word[], meaning: Meaning | undefined): Concept[] {
    const hints = meaning?.same.length === 0 ? meaning.hints : [];
    const hinted = hints.map((name) => ({ options: this.group(name, 1), share: HINT_SHARE }));
    const literal = (words.length > 1 ? words : []).map((word) => {
      return { options: this.optionsOf([word], undefined), share: LITERAL_SHARE };
    });
    return [...hinted, ...literal].map((one) => ({ ...one, isOptional: true }));
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
      if (SHORT_YEAR.test(only.text)) options.push(...this.yearOptions(only.text));
    }
    return meaning ? [...options, ...this.meant(meaning)] : options;
  }

  private meant({ same, asked, teams, related }: Meaning): Option[] {
    const names = [...same, ...asked];
    const team = names.length > 0 ? TEAM_QUALITY : SAME_QUALITY;
    return [
      ...names.flatMap((name) => this.group(name, SAME_QUALITY)),
      ...teams.flatMap((name) => this.group(name, team)),
      ...related.flatMap((name) => this.group(name, RELATED_QUALITY)),
    ];
  }

  /** The year of two digits, which are a day rather. */
  private yearOptions(digits: string): Option[] {
    const term = this.vocabulary.termOf(`20${digits}`);
    return term === undefined ? [] : [{ term, quality: YEAR_QUALITY }];
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

/** A query of vague words needs them, as does one whose other words no event has. */
function withNeeded(concepts: readonly Concept[]): Concept[] {
  const isVagueQuery = concepts.every((one) => one.isOptional || one.options.length === 0);
  return concepts.map((one) => ({ ...one, isOptional: one.isOptional && !isVagueQuery }));
}

function correctedText(query: string, replaced: ReadonlyMap<string, string>): string | undefined {
  if (replaced.size === 0) return undefined;
  let text = query.trim().toLowerCase();
  for (const [word, best] of replaced) text = text.replace(word, best);
  return text === query.trim().toLowerCase() ? undefined : text;
}

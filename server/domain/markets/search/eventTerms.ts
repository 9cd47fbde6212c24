import { PHRASES } from './phraseTables.ts';
import type { IndexedEvent } from './searchIndex.ts';
import { tickerWords, wordsOf } from './tokenize.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The weight of a word by its field. */
const WEIGHT = { title: 12, ticker: 8, series: 9, subtitle: 7, tag: 5, category: 4, outcome: 6 };
const SHORTEST_TICKER_WORD = 3;

/** The words and phrases of an event, each with the weight of its best field. */
export function termsOf(event: IndexedEvent, vocabulary: Vocabulary): Map<number, number> {
  const terms = new Map<number, number>();
  const note = (word: string, weight: number) => {
    const term = vocabulary.numberOf(word);
    terms.set(term, Math.max(terms.get(term) ?? 0, weight));
  };
  const noteText = (text: string, weight: number) => {
    const words = wordsOf(text);
    for (const word of words) note(word, weight);
    for (const group of PHRASES.groupsIn(words)) note(group, weight);
  };
  noteText(event.title, WEIGHT.title);
  for (const word of tickerWords(event.ticker)) note(word, WEIGHT.ticker);
  noteText(topicOf(event.ticker), WEIGHT.ticker);
  noteText(event.seriesTitle, WEIGHT.series);
  noteText(event.subtitle, WEIGHT.subtitle);
  for (const tag of event.tags) noteText(tag, WEIGHT.tag);
  noteText(event.category, WEIGHT.category);
  noteText(event.outcomes, WEIGHT.outcome);
  return terms;
}

/** The longest known word that a series ticker begins with: NFLGAME is about NFL. */
function topicOf(ticker: string): string {
  const bare = ticker.toLowerCase().replace(/^kx/, '').split('-')[0] ?? '';
  for (let length = bare.length - 1; length >= SHORTEST_TICKER_WORD; length -= 1) {
    if (PHRASES.words.has(bare.slice(0, length))) return bare.slice(0, length);
  }
  return '';
}

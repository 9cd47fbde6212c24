import { Phrases } from './phrases.ts';
import { CULTURE } from './tables/culture.ts';
import { ECONOMY } from './tables/economy.ts';
import { POLITICS } from './tables/politics.ts';
import { SPORTS } from './tables/sports.ts';
import { WORLD } from './tables/world.ts';

/** Synonyms and names: what users call things that listings name otherwise. */
export const PHRASES = new Phrases([ECONOMY, POLITICS, SPORTS, CULTURE, WORLD]);

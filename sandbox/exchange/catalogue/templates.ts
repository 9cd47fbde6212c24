import { cryptoTemplates } from './crypto.ts';
import { cultureTemplates } from './culture.ts';
import { economicsTemplates } from './economics.ts';
import { financialTemplates } from './financials.ts';
import { politicsTemplates } from './politics.ts';
import { quickTemplates } from './quick.ts';
import { sportsTemplates } from './sports.ts';
import type { SeriesTemplate } from './template.ts';
import { weatherTemplates } from './weather.ts';
import { worldTemplates } from './world.ts';

/** Every series the sandbox lists. */
export const SERIES_TEMPLATES: readonly SeriesTemplate[] = [
  ...politicsTemplates,
  ...economicsTemplates,
  ...cryptoTemplates,
  ...financialTemplates,
  ...sportsTemplates,
  ...weatherTemplates,
  ...cultureTemplates,
  ...worldTemplates,
  ...quickTemplates,
];

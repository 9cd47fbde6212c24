import { registerHooks } from 'node:module';

/**
 * Node parses the manifest of a package anew for each of its files and each import of it; that of
 * drizzle-orm, 180 KB long, took a third of the start of a program. Its files are found without it.
 */
const FOLDER = '/node_modules/drizzle-orm/';
const found = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    // What is required, rather than imported, has files of its own.
    if (context.conditions.includes('require')) return next(specifier, context);
    if (specifier.startsWith('.') && parentURL.includes(FOLDER)) {
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    }
    if (!specifier.startsWith('drizzle-orm')) return next(specifier, context);
    const known = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(specifier, known);
    return known;
  },
});

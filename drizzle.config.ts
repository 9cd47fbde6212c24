import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './server/platform/database/schema/!(*.test).ts',
  out: './server/platform/database/migrations',
});
